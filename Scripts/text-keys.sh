#!/usr/bin/env bash
# Finds tables in Sources that are keyed by `String`, and comparisons of `String`s: their equality is canonical equivalence,
# which merges texts that files tell apart, and sees no prefix "$" before a combining mark. Names and values of a file are
# keyed by `ExactString`, and compared by `equals`, `precedes`, `contains(exactly:)` and `begins(with:)`. Also finds divisions of
# `String`s at a sign of a notation. What may stay is listed below, with its reason.
#
#   Scripts/text-keys.sh
set -euo pipefail
cd "$(dirname "$0")/.."

allowed() { # file, why
  skipped+=(":(exclude)Sources/$1")
}
skipped=()
allowed Ferry/Editing/Renaming/ArchiveRenaming+Checking.swift "a caller's names, made exact before a file's are looked up"
allowed Ferry/Editing/Renaming/ArchiveRenaming.swift "a caller's names, made exact before a file's are looked up"
allowed Ferry/Archives/Coding/ClassMap.swift "a caller's names, made exact as they are added"
allowed Ferry/Archives/Coding/ArchivedDecoder.swift "the type that an error names"
allowed Ferry/Coding/CodedValueDecoder.swift "the type that an error names"
allowed Ferry/Coding/Value+Codable.swift "names that an encoder compares so; equal ones are refused"
allowed FerryFoundation/Value+Foundation.swift "Foundation's dictionaries; equal keys are refused"
allowed Ferry/Conversion/Conversion.swift "a caller's names, made exact by ClassRenamer"
allowed Ferry/Documents/Seeding/Seed.swift "a caller's names, made exact by Schema.renamingClasses"
allowed Ferry/Documents/DocumentType+Checking.swift "a caller's names, made exact by Schema.renamingClasses"
allowed Ferry/Documents/Seeding/Value+Classes.swift "a caller's names, made exact as they are taken out"
allowed Ferry/Records/Schema.swift "a caller's names, made exact by renamingClasses"
allowed Ferry/Documents/Packages/DocumentPackage.swift "names that a volume which ignores case and normalization takes for one"
allowed Ferry/Bytes/FileOutput.swift "paths that Ferry has made"
allowed FerryTool/PropertyListUtilities/Literals/SwiftLiteral.swift "types of Swift in the text of a literal"
allowed Ferry/Values/ExactString.swift "the type itself"
allowed Ferry/Formats/XML/XMLReadingOptions.swift "prefixes of a caller's XPath"
allowed Ferry/Formats/XML/XMLTree.swift "prefixes of a caller's XPath"
allowed Ferry/Formats/XML/XPathEvaluation.swift "prefixes of a caller's XPath"
allowed Ferry/Reading/ElementSelection.swift "prefixes of a caller's XPath"
allowed Ferry/Editing/XPathReading.swift "prefixes of a caller's XPath"
allowed FerryTool/Options/PathArgument+XPath.swift "prefixes of a caller's XPath"
allowed FerryTool/Options/SelectionOptions.swift "prefixes of a caller's XPath"
allowed FerryTool/Options/NamespaceOptions.swift "prefixes of a caller's XPath"
allowed Ferry/Formats/XML/StreamedXPath.swift "prefixes of a caller's XPath, which are ASCII"
allowed Ferry/Formats/XML/XPathStreaming.swift "prefixes of a caller's XPath, which are ASCII"
allowed FerryTool/Commands/SplitNames.swift "names that a volume which ignores case and normalization takes for one"
allowed FerryTool/Commands/SplitOutputs.swift "names that a volume which ignores case and normalization takes for one"
allowed FerryTool/Terminal/Hints/CommandOptions.swift "options of the command"
allowed FerryTool/Options/RepeatedOption.swift "options of the command"
allowed FerryTool/Options/ArgumentWord.swift "words of the command"
allowed FerryTool/Options/ClassName.swift "names on the command line, made exact before a file's are looked up"

found=$(git grep --untracked -nE '\[String ?: |Set<String>|Dictionary<String|OrderedSet<String' \
  -- 'Sources/*.swift' "${skipped[@]}" | grep -vE '^[^:]*:[0-9]+: *///?' || true)

# Comparisons of names. The compiler knows the types and this script does not: it looks at the words.
names='(name|key|element|attribute|label|column|table|className|relationship)'
comparisons="\\b[A-Za-z.\$0-9]*$names (==|!=|<) (self\\.|\\\$[01]\\.|[a-z]+\\.)?[a-z]*($names|Name|Key)\\b"
prefixes="\\b(name|key|attribute|element|label)\\.has(Prefix|Suffix)\\(\"[@\$#]"
skipped=()
allowed Ferry/Documents/DocumentTypeFile.swift "names of types and schemas, which are Ferry's or a caller's"
allowed Ferry/Reading/DescriptionFile.swift "names of schemas, which are Ferry's or a caller's"
allowed Ferry/Editing/Writing/TextEdits.swift "numbers of nodes"
allowed Ferry/Editing/Writing/TextEdits+Blocks.swift "columns of the text"
allowed Ferry/Formats/YAML/YAMLTextSyntax.swift "columns of the text"
allowed Ferry/Formats/XML/XMLParserNames.swift "addresses of interned names"
allowed Ferry/Archives/ClassCatalog/ColorCodec.swift "names of color spaces, which are Ferry's"
found+=$(git grep --untracked -nE "$comparisons|$prefixes" -- 'Sources/*.swift' "${skipped[@]}" \
  | grep -vE '^[^:]*:[0-9]+: *///?|SQLiteName\(|\.key < \$1\.key' || true)

# Divisions at a slash or a quotation mark, which Swift's `split` does not see before a combining mark: then the rest of a name gets out
# of its quotation marks in a command. `namesInPath` and `replacing(_:by:)` see them.
skipped=()
allowed FerryTool/Terminal/Suggestion.swift "messages of the argument parser"
allowed FerryTool/Terminal/LocalTime.swift "the numbers of a date"
allowed Ferry/Stores/CoreData/CoreDataStore.swift "the name of an object, which is none with a mark after the slash"
found+=$(git grep --untracked -nE "split\(separator: \"(/|'|\\\\?\")\"" -- 'Sources/*.swift' "${skipped[@]}" \
  | grep -vE '^[^:]*:[0-9]+: *///?|unicodeScalars\.split' || true)
[ -z "$found" ] && exit 0
echo "$found"
echo "compare these texts by their bytes (ExactString, equals), or say in Scripts/text-keys.sh why text of a file never" \
  "gets there" >&2
exit 1
