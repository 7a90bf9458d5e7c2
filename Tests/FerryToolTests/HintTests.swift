import Ferry
import TestSupport
import Testing

@testable import FerryTool

/// The advice that the command adds to the messages of the library.
@Suite(.temporaryDirectory) struct `Hints of the command` {
  private static let contents: [(FerryError.Reason, String)] = [
    (.json(.comments), "this is JSON with comments (use --from jsonc)"),
    (
      .json(.extended(.comments, expected: "a value", found: "\"/\"", isReadable: true)),
      "expected a value, found \"/\" (JSON has no comments; use --from jsonc)"
    ),
    (
      .json(.extended(.comments, expected: "a value", found: "\"/\"", isReadable: false)),
      "expected a value, found \"/\" (JSON has no comments)"
    ),
    (
      .json(.extended(.trailingCommas, expected: "a value", found: "\"]\"", isReadable: true)),
      "expected a value, found \"]\" (JSON has no comma after the last value; use --from jsonc)"
    ),
    (
      .json(.extended(.singleQuotes, expected: "a value", found: "\"'\"", isReadable: true)),
      "expected a value, found \"'\" (JSON has no single quotes; use --from json5)"
    ),
    (
      .json(.extended(.names, expected: "a key in double quotes", found: "\"a\"", isReadable: true)),
      "expected a key in double quotes, found \"a\" (JSON has no keys without quotes; use --from json5)"
    ),
    (
      .json(.extended(.notFinite, expected: "a value", found: "\"NaN\"", isReadable: true)),
      "expected a value, found \"NaN\" (JSON has no NaN and no infinities; use --from json5)"
    ),
    (
      .json(.extended(.notFinite, expected: "a value", found: "\"NaN\"", isReadable: false)),
      "expected a value, found \"NaN\" (JSON has no NaN and no infinities)"
    ),
    (
      .json(.badNumber("0x50", isReadable: true)), "\"0x50\" is not a JSON number (use --from json5)"
    ),
    (.json(.badNumber("01")), "\"01\" is not a JSON number"),
    (
      .json(.badEscape("\\x", isReadable: true)), "\"\\x\" is not a valid escape in JSON (use --from json5)"
    ),
    (
      .json(.trailingContent(found: "\"2\"")),
      "the value has ended, but \"2\" follows (use --from json-concat for several values)"
    ),
    (
      .yaml(.sharedValue(anchor: "a")),
      "the anchor \"&a\" and its aliases share this value, which can be changed only at all of them "
        + "(--with-aliases changes all of them; ferry convert rewrites the file without anchors)"
    ),
    (
      .yaml(.mergedEntry(key: "x", anchor: "a")),
      "without this entry, the merge key << would give \"x\" the value of the anchor \"&a\" "
        + "(--with-aliases removes the entry, and the other value takes its place)"
    ),
    (
      .yaml(.notAtAliases(anchor: "a")),
      "this change cannot be made at the anchor \"&a\" and all of its aliases (use ferry edit to change the text)"
    ),
    (
      .yaml(.removedAnchor("a")),
      "this change would remove the anchor \"&a\", but an alias refers to it (use ferry edit to change the text)"
    ),
    (
      .yaml(.notYAML(format: "json")),
      "the options for YAML cannot be used, because the input is json (--from yaml reads it as YAML)"
    ),
    (
      .yaml(.notChanged),
      "no change in the text gives this value, and writing the file anew would lose its comments, anchors, tags or "
        + "layout (change a value in the text, or use ferry convert to rewrite the file)"
    ),
    (
      .csv(.rowLength(1, columns: 2)),
      "the row has 1 cell, but the table has 2 columns (--ragged accepts such rows)"
    ),
    (
      .csv(.rowLength(3, columns: 2, likely: .spacesBeforeQuote)),
      "the row has 3 cells, but the table has 2 columns (--skip-initial-space ignores the spaces before quotation marks)"
    ),
    (
      .csv(.rowLength(2, columns: 1, likely: .linesBeforeHeader(3))),
      "the row has 2 cells, but the table has 1 column (--skip-rows 3 skips the lines before the header; --ragged accepts such rows)"
    ),
    (.csv(.sameColumn("a")), "two columns have the name \"a\" (--column-names gives them other names)"),
    (
      .csv(.notCSV(format: "json")),
      "the options for CSV cannot be used, because the input is json (--from csv reads it as CSV)"
    ),
    (
      .csv(.noTable(format: "json")),
      "--dotted is for tables, but the input is json, and the output is not a table (use --to csv)"
    ),
    (.csv(.onlyPlain), "tables are written only in the plain form (use --form plain)"),
    (
      .xml(.undeclaredEntity("a")),
      "the entity \"a\" is not declared (--html-entities and --dtd FILE declare more)"
    ),
    (
      .xml(.severalRoots),
      "a second root element is not allowed here in an XML document (--root NAME puts all into one)"
    ),
    (
      .xml(.undeclaredRoot("p:name")),
      "the root element cannot have the name \"p:name\", because the value does not declare its namespace "
        + "(use --root \"{URI}name\" with the namespace of the prefix, or --root name)"
    ),
    (
      .xml(.undeclaredRoot("{a}name")),
      "the root element cannot have the name \"{a}name\", because the value does not declare its namespace "
        + "(use --root name)"
    ),
    (
      .xml(.lateAttribute("a")),
      "the attribute \"a\" comes after the element's content (--sort-keys puts attributes first)"
    ),
    (
      .xml(.undeclaredPrefix("//y:p", why: "the prefix \"y\" is not declared in the document")),
      "the XPath \"//y:p\" is not valid: the prefix \"y\" is not declared in the document (--ns PREFIX=URI binds it)"
    ),
    (
      .xml(.onlyForValues),
      "--namespaces, --list, --order, --types, --comments, --instructions, --cdata, --convention, --item and --infer are "
        + "for other formats: from XML to XML, everything stays as it is"
    ),
    (
      .xml(.onlyWithoutSchema),
      "--namespaces, --list, --order, --types, --comments, --instructions, --cdata and --convention are for XML without "
        + "a schema (--schema none reads it so)"
    ),
    (
      .xml(.notForInference),
      "--namespaces, --list, --order, --types, --comments, --instructions, --cdata and --convention are for XML without "
        + "a schema, and --infer finds one (leave out --infer)"
    ),
    (
      .record(.noVersions),
      "the records have no versions, because no schema defines any (use --schema FILE with versions, or leave out "
        + "--allow-newer)"
    ),
    (
      .record(.noOlderKeys),
      "no schema defines older keys to write (use --schema FILE with alsoWrite, or leave out --older-keys)"
    ),
    (
      .record(.nothingToLeaveOut("JSON")),
      "records of JSON can be left out only with a schema (use --schema, or leave out --keep-going)"
    ),
    (
      .xml(.notXMLInput("json")),
      "the options for XML cannot be used, because the input is json (--from xml reads it as XML)"
    ),
    (
      .xml(.noXML("json")),
      "--convention, --types and --namespaces expand are for XML, but the input is json, and the output is not XML, either (use --to xml)"
    ),
    (
      .xml(.notXML("archive")),
      "--select takes an XPath for XML, or a path for other formats, but not for the typed form of archive "
        + "(leave out --select for the whole file, or --form typed for its plain values)"
    ),
    (
      .xml(.notXML("plist-xml")),
      "--select takes an XPath for XML, or a path for other formats, but not for the typed form of plist-xml "
        + "(use ferry get FILE PATH --form typed)"
    ),
    (
      .typed(.partOfArchive),
      "the typed form of an archive or a typedstream is that of the whole file "
        + "(ferry convert FILE --to json --form typed writes the whole file; --form plain writes its value)"
    ),
    (
      .xml(.tooManyNodes("//a[last()]")),
      "the XPath \"//a[last()]\" needs more nodes of the document at once than fit into memory, or than the 10,000,000 that "
        + "libxml2 holds (paths of names and * with conditions such as [@id='7'] and [2] are read without a limit)"
    ),
    (
      .propertyList(.gnustepValue),
      "only property lists of GNUstep have such values (use --from plist-gnustep)"
    ),
    (
      .archive(.rawReference),
      "a reference by the number of an object, {\"$uid\": 3} or {\"CF$UID\": 3}, is only for the raw form "
        + "(use --form raw)"
    ),
    (
      .typed(.notExact),
      "the typed form of this file would not give its bytes back; please report it with the file (--form raw is exact)"
    ),
    (
      .typed(.badLayout("order is \"pears\"")),
      "invalid $layout: order is \"pears\" (delete $layout to use the usual layout)"
    ),
    (
      .typed(.badLayout("offsetWidth is 99 (use a number from 1 to 8)")),
      "invalid $layout: offsetWidth is 99 (use a number from 1 to 8; delete $layout to use the usual layout)"
    ),
    (
      .content(.notInEncoding("UTF-8")),
      "these bytes are not UTF-8 (--encoding names the encoding, such as windows-1252)"
    ),
    (.content(.unknownEncoding("x")), "the encoding \"x\" is not supported (iconv -l lists the names)"),
    (
      .content(.notEncodable(0xe9, encoding: "ASCII", line: 1, column: 2)),
      "ASCII has no \"é\" (U+00E9), in line 1, column 2 of the output (--to-encoding utf-8 has all)"
    ),
    (
      .content(.notEscapable(0xe9, line: 1, column: 2)),
      "a name, comment or instruction of XML cannot have an escape for \"é\" (U+00E9), in line 1, column 2 of the output "
        + "(leave --ascii out)"
    ),
    (
      .cannotHold(.typedstreamObject),
      "the typed form cannot hold an object of a typedstream (--form plain shows it)"
    ),
  ]

  private static let paths: [(FerryError.Reason, String)] = [
    (
      .path(.unreadData(step: "key \"a\"")),
      "no key \"a\" here: this is data that Ferry cannot read (get --bytes writes its bytes)"
    ),
    (
      .path(.countsFromEnd),
      "--select cannot count from the end of a list, because it reads the list from its beginning "
        + "(use ferry get, unless this is a database)"
    ),
    (
      .path(.repeatedKey("a")),
      "the key \"a\" occurs twice here, and --select reads values only once (use ferry get)"
    ),
    (
      .path(.badText("x", type: "an integer", isFound: true)),
      "\"x\" does not fit here: the value is an integer (--type sets one of another type)"
    ),
    (.path(.badText("x", type: "an integer", isFound: false)), "\"x\" is not an integer"),
    (
      .path(.textNotUTF8),
      "the given text is not UTF-8 (--from-file with --type data takes other bytes, and with --type plist a binary "
        + "property list)"
    ),
    (
      .path(.cannotPut("a dictionary with only the number CF$UID", .becomesReference)),
      "cannot put a dictionary with only the number CF$UID here: in an XML property list it would become a reference "
        + "(--form raw sets a reference)"
    ),
    (
      .path(.cannotPut("this value", .keepsClass)),
      "cannot put this value here: an object keeps its class (use ferry rename --class Old=New to rename a class, "
        + "or set the whole object to make it one of another class)"
    ),
    (
      .path(.cannotPut("this value", .flaw(.otherClassName("A")))),
      "cannot put this value here: the class is named \"A\" in its $classes (use ferry rename --class Old=New to "
        + "change both)"
    ),
    (
      .path(.cannotPut("this value", "an object has a $class")),
      "cannot put this value here: an object has a $class"
    ),
    (
      .path(.cannotPut("the value", .unreadable(.overBudget(.depth(5))))),
      "cannot put the value here: nested deeper than 5 levels (--max-depth raises the limit)"
    ),
    (
      .path(.cannotPut("a text", .neighbor("an integer"))),
      "cannot put a text here: the neighboring element is an integer (use --type to set the type of the new element)"
    ),
    (
      .path(.cannotPut("a text", .current("an array"))),
      "cannot put a text here: the current value is an array; --type json replaces it as a whole"
    ),
    (
      .path(.cannotPut("a text", .attributes(hasText: true))),
      ##"cannot put a text here: the element has attributes, so its text has the key "#text" "##
        + ##"(add ["#text"] to the path)"##
    ),
    (
      .path(.cannotPut("a text", .attributes(hasText: false))),
      "cannot put a text here: the element has attributes but no text yet "
        + ##"(add ["#text"] to the path; set --insert adds the text)"##
    ),
    (
      .path(.cannotPut("the value", .readsBackOtherwise(isUnicode: true))),
      "cannot put the value here: read from XML, it would be another value (use ferry edit to edit the text)"
    ),
    (
      .path(.cannotPut("the value", .readsBackOtherwise(isUnicode: false))),
      "cannot put the value here: read from XML, it would be another value (ferry convert FILE -i --to xml writes "
        + "the document in UTF-8 first)"
    ),
    (
      .path(.cannotPut("the value", .lacksCharacter(0x8868, encoding: "ISO-8859-1"))),
      "cannot put the value here: the encoding ISO-8859-1 has no \"表\" (U+8868), and a name cannot have a reference to it "
        + "(ferry convert FILE -i --to xml writes the document in UTF-8 first)"
    ),
    (
      .path(.notEditable(format: "csv", .wholeFile)),
      "values of csv cannot be changed by path (use ferry edit to open the file)"
    ),
    (
      .path(.notEditable(format: "nib", .keyedArchive)),
      "values of nib cannot be changed by path (use ferry convert FILE -o FILE.archive to make a keyed archive, "
        + "which can be edited)"
    ),
    (
      .path(.notEditable(format: "table", .display)),
      "values of table cannot be changed by path (use ferry show to see values)"
    ),
    (
      .path(.notEditable(format: "\"#content\"", .keysOfElements)),
      "values of \"#content\" cannot be changed by path (name elements by their keys, as ferry find --no-order prints them)"
    ),
    (
      .path(.notEditable(format: "json", .wholeValue)),
      "values of json cannot be changed by path (use set to replace the data as a whole)"
    ),
    (
      .path(.notEditable(format: "sqlite", .other("use sqlite3 to edit a database"))),
      "values of sqlite cannot be changed by path (use sqlite3 to edit a database)"
    ),
    (
      .path(.inPatch(operation, .path(.cannotPut("a text", .neighbor("an integer"))))),
      "operation 2 of the patch (move \"/a\" to \"\"): cannot put a text here: the neighboring element is an integer "
        + "(use --type to set the type of the new element)"
    ),
    (
      .path(.inPatch(operation, .overBudget(.depth(5)))),
      "operation 2 of the patch (move \"/a\" to \"\"): nested deeper than 5 levels (--max-depth raises the limit)"
    ),
    (
      .path(.inPatch(operation, .path(.countsFromEnd))),
      "operation 2 of the patch (move \"/a\" to \"\"): --select cannot count from the end of a list, because it reads the list from its "
        + "beginning (use ferry get, unless this is a database)"
    ),
    (
      .path(
        .patchFails(
          FerryError(
            .path(.cannotPut("a text", .neighbor("an integer"))), path: ValuePath([.key("a")])))),
      "no patch of its values gives the other file: cannot put a text here: the neighboring element is an "
        + "integer (use --type to set the type of the new element) (at a)"
    ),
    (
      .path(.notTyped),
      "no patch of its values gives the other file: it is in the typed form, and the other file is not "
        + "(ferry convert FILE --form typed writes the typed form of the other file)"
    ),
    (
      .path(.replacesData(ValuePath([.key("d")]))),
      "no patch of its values gives the other file: data would be replaced by another value at d "
        + "(ferry diff --json without --expand gives a patch that replaces it)"
    ),
    (
      .path(.patchFails(FerryError(.overBudget(.depth(512))))),
      "the patch exceeds a limit: nested deeper than 512 levels (--max-depth raises the limit)"
    ),
    (
      .loss(.className), "not exact: class names are dropped (--strict refuses what is not exact)"
    ),
    (
      .loss(.nothingSelected),
      "not exact: nothing matches --select (--strict refuses what is not exact)"
    ),
  ]

  private static let operation = PathProblem.Operation(index: 2, name: "move", pointers: ["/a", ""])

  private static let files: [(FerryError.Reason, String)] = [
    (.overBudget(.depth(5)), "nested deeper than 5 levels (--max-depth raises the limit)"),
    (.overBudget(.fixedDepth(5)), "nested deeper than 5 levels, which no option raises here"),
    (.overBudget(.entityDepth(5)), "entities nested deeper than 5 levels, which no option raises"),
    (
      .overBudget(.textBytes(5)),
      "a text that is read as a whole is longer than 5 bytes (--max-document raises the limit)"
    ),
    (.overBudget(.inputBytes(5)), "the input is longer than 5 bytes (--max-input raises the limit)"),
    (.overBudget(.tokenBytes(5)), "one value is longer than 5 bytes (--max-token raises the limit)"),
    (
      .overBudget(.attributes(5)), "more than 5 attributes on one element (--max-attributes raises the limit)"
    ),
    (
      .overBudget(.declarations(5)),
      "more than 5 namespace declarations in scope (--max-attributes raises the limit)"
    ),
    (
      .overBudget(.names(5)),
      "more than 5 different names or paths of elements (--max-names raises the limit)"
    ),
    (.overBudget(.values(5)), "more than 5 values or objects, which no option raises"),
    (.overBudget(.files(5)), "more than 5 files in a package (--max-files raises the limit)"),
    (
      .overBudget(.amplification(5)),
      "expands to more than 5 times its size (--max-amplification raises the limit)"
    ),
    (
      .overBudget(.nesting(5)),
      "more than 5 files or compressions inside each other (--max-nesting raises the limit)"
    ),
    (
      .overBudget(.windowBytes(5)),
      "decompressing needs more than 5 bytes of memory (--max-window raises the limit)"
    ),
    (
      .file(.binaryToTerminal),
      "binary output is not written to a terminal (use -o FILE, or -o - to write it anyway)"
    ),
    (.file(.nothingSelected), "nothing matches --select; the file was not replaced"),
    (
      .file(.recordsLeftOut(1)),
      "1 record was left out; the file was not replaced (-o FILE or --out-dir writes the other records)"
    ),
    (
      .file(.unknownFormat(likely: .csvTable)),
      "no format that Ferry reads begins with these bytes, which may be CSV (use --from csv; ferry formats lists the "
        + "formats)"
    ),
    (
      .file(.alreadyRead),
      "already read, by an option or as another input, and can be read only once (use a file for one of them)"
    ),
    (
      .file(.unknownFormat(likely: .yamlBlock)),
      "no format that Ferry reads begins with these bytes, which may be YAML (use --from yaml; ferry formats lists the "
        + "formats)"
    ),
    (
      .file(.unknownFormat(likely: .zipArchive)),
      "no format that Ferry reads begins with these bytes, which a ZIP archive follows (use --from zip; ferry formats "
        + "lists the formats)"
    ),
    (
      .file(.unknownFormat(likely: nil)),
      "no format that Ferry reads begins with these bytes (use --from FORMAT; ferry formats lists the formats)"
    ),
    (
      .file(.unknownTarget),
      "the name of the document does not show its format (use --to FORMAT; ferry formats lists the formats)"
    ),
    (
      .file(.notText(format: "json", .json(.trailingContent(found: "\"2\"")))),
      "the value has ended, but \"2\" follows (use --from json-concat for several values); the file begins like json "
        + "(use --from text to read it as text)"
    ),
    (
      .file(.notWritten("zip")),
      "writing zip is not supported (write a file, or a package as a folder, and pack it)"
    ),
    (.file(.notWritten("nib")), "writing nib is not supported (ferry formats lists the formats)"),
    (.file(.notRead("table")), "reading table is not supported (ferry formats lists the formats)"),
    (.file(.exists), "the file already exists (use --force to replace it)"),
    (
      .package(.unknownType(known: ["a", "b"])),
      "this folder is not a known package (known: a, b; --types FILE adds others)"
    ),
    (
      .package(.noSuchType("x", known: ["a", "b"])),
      "unknown document type \"x\" (known: a, b; --types FILE adds others)"
    ),
    (
      .package(.noAttachment("a")),
      "the file \"a\", which a record names, does not exist (use --attachments FOLDER)"
    ),
    (.package(.needsPath), "a package cannot be written to the standard output (use -o PATH)"),
    (
      .package(.inArchive("mystuff")),
      "a package in a ZIP archive cannot be written as a whole (\"ferry convert ARCHIVE -o NAME.mystuff\" unpacks it)"
    ),
    (
      .compression(.severalFiles),
      "a ZIP archive with several files has no text to edit as a whole (ferry edit ARCHIVE FILE opens one of them, "
        + "and ferry set changes values in them by their paths)"
    ),
    (
      .compression(.notAnArchive),
      "this is not a ZIP archive, so it has no files (leave out the name of the file; ferry set changes a value by its "
        + "path)"
    ),
    (
      .compression(.archiveInPlace),
      "a ZIP archive is not converted in place (use -o FILE to write its values to another file)"
    ),
    (.package(.nothingToExtract), "--extract writes the files of a package, and this is not a package"),
    (
      .document(.otherRecords(type: "a", className: "B", found: "text")),
      "a a document holds a list of objects of the class B, found text (use --to archive -o x.archive for other objects)"
    ),
    (
      .document(.editedRecords(type: "a", className: "B", why: "why")),
      "after this edit the file is not a a document, which holds objects of the class B: why (--force writes it anyway)"
    ),
    (
      .document(.editedFiles(type: "a", why: "why")),
      "after this edit the package is not a a document: why (--force writes it anyway)"
    ),
    (
      .document(.unreadableObject(.otherClassName("A"))),
      "programs could not read an object of the result: the class is named \"A\" in its $classes (use ferry rename "
        + "--class Old=New to change both)"
    ),
    (
      .document(.editedFormat(before: "JSON", after: "XML")),
      "after this edit the file is XML, and was JSON (ferry convert changes the format of a file)"
    ),
    (
      .document(.otherKind(extensionOf: "JSON", document: "XML")),
      "the extension is for JSON, but the document stays XML (use ferry convert to convert it)"
    ),
    (
      .document(.losesBase(format: "JSON", .dateAsText)),
      "this version is JSON, which changes values of the base: dates become text (give the types with --schema, or "
        + "make the change in the format of the base)"
    ),
    (
      .document(.losesOurs(format: "CSV", .numberAsText)),
      "this version is CSV, which changes values of our version: numbers become text (give the types with --schema)"
    ),
    (
      .document(.archiveEntries),
      "the merged entry beside the objects of the archive cannot be put into this file"
    ),
    (
      .document(.notDescribed(format: "JSON")),
      "the raw form in JSON cannot hold a value of the result (use the typed form)"
    ),
    (
      .document(.archiveRoots),
      "the roots of the archive ($top) have been changed, and cannot be merged with the other changes "
        + "(merge the archives as separate files)"
    ),
  ]

  private static let records: [(FerryError.Reason, String)] = [
    (
      .record(.notAList(found: "1")),
      "expected a list of records, found 1 (use --schema FILE if a schema names the list in it)"
    ),
    (
      .record(.notADictionary(found: "a list")),
      "expected a dictionary, whose entries become records, found a list (--select PATH reads a value inside it)"
    ),
    (
      .record(.otherField("id", known: ["key", "value"])),
      "the record of an entry has only key and value, found id (--entry-names KEY,VALUE if they have other names)"
    ),
    (
      .record(.ofBuiltIn(.repeatedField("a"), schema: "person")),
      "the field a occurs twice (the built-in schema person asks for it; --schema none reads the file by convention)"
    ),
    (
      .record(.ofBuiltIn(.newerVersion(3, record: "person", known: 2), schema: "person")),
      "the person has version 3, but the schema describes versions up to 2 (use --allow-newer to read it as version 2) "
        + "(the built-in schema person asks for it; --schema none reads the file by convention)"
    ),
    (
      .record(.losesTypes(format: "CSV", .numberAsText)),
      "the data is CSV, which changes values of the document: numbers become text (give the types with --schema)"
    ),
    (
      .record(.otherVersion(present: 1, added: 2)),
      "the records have version 1, and those to be added have version 2 (use \"ferry convert -i --schema FILE\" on the "
        + "document first)"
    ),
    (
      .record(.onlyKeyedRecords),
      "no records: a schema describes a list of dictionaries or a dictionary, found a dictionary whose keys are not "
        + "fields (--select '[*]' reads its values as records)"
    ),
    (.record(.noKey), "no field identifies the records (use --key FIELD, or a schema with a key)"),
    (
      .record(.noClass("A", among: [])),
      "no schema names the class \"A\", which is to be renamed (use --schema)"
    ),
    (
      .database(.whichTable(known: ["a", "b"])),
      "a schema applies to the records of one table (name it with --table); there are \"a\", \"b\""
    ),
    (
      .database(.severalTables(["a", "b"])),
      "the output has room for one table (name it with --table; --out-dir writes a file for each); there are \"a\", \"b\""
    ),
    (
      .database(.viewForRows("a")),
      "\"a\" is a view, but rows are added only to tables (--table names another table)"
    ),
    (
      .database(.internalTable("sqlite_sequence")),
      "SQLite or Ferry keeps the table \"sqlite_sequence\" for other tables, so no rows can be added to it "
        + "(--table names another table)"
    ),
    (
      .record(.otherSchema("XML Schema")),
      "a schema in XML Schema is not supported (\"ferry schema infer FILE -o NAME.schema.json\" makes one that is)"
    ),
    (.database(.noTables(format: "json")), "--table needs a database, and this is json"),
    (
      .database(.notATable(found: "a string")),
      "expected a dictionary of tables, each an array of records, found a string (--table NAME makes one table of the "
        + "records)"
    ),
    (
      .database(.noPaths),
      "values of a database are not read or changed by path (use ferry convert --to json, with --select "
        + "'TABLE[*].COLUMN' for a column and --expand for its data)"
    ),
    (.database(.onlyPlain), "SQLite is written in the plain form only (use --form plain)"),
    (
      .database(.notRewritten),
      "a database is not rewritten from its records, because it holds more than them "
        + "(\"ferry convert --append --table NAME\" adds records, \"ferry convert -o FILE\" writes another file)"
    ),
    (
      .database(.addedToItself),
      "the records of a database cannot be added to the same database (write them to another file first, such as "
        + "-o records.jsonl)"
    ),
    (
      .database(.needsTemplate),
      "a new Core Data store needs the model of an app (--template STORE copies a store with these objects; "
        + "--append adds them to an existing store)"
    ),
    (
      .database(.whichEntity(known: ["A"])),
      "the records belong to one entity (name it with --table); there is \"A\""
    ),
  ]

  private static let reasons: [(FerryError.Reason, String)] = contents + paths + files + records

  @Test(arguments: reasons)
  func `The command adds its advice to the message of a problem`(_ reason: FerryError.Reason, _ text: String)
  {
    #expect(reason.advised == text)
  }

  private static let notes: [(Note, String)] = [
    (
      .readByConvention(schema: "person", why: "why", isReadable: true),
      "read by convention and not by the built-in schema person: why (--schema person reads it so)"
    ),
    (
      .readByConvention(schema: "person", why: "why", isReadable: false),
      "read by convention and not by the built-in schema person: why"
    ),
    (
      .readWithoutSchema(.record(.noRecords(found: "a single value"))),
      "read without a schema: no records: a schema describes a list of dictionaries or a dictionary, found a single "
        + "value"
    ),
    (
      .oneRecord(element: "rss", list: "item"),
      "<rss> is one record, because it has more than its <item> (--select /rss/item describes each of these)"
    ),
    (
      .inNamespace("urn:a"),
      "the elements are in the namespace \"urn:a\" (write _:name, or p:name with --ns p=urn:a)"
    ),
    (.nothingSelected, "nothing matches --select"),
    (
      .heldInMemory(part: "[last()]", byteCount: 20_000_000),
      "\"[last()]\" in the XPath needs the whole document, so the document (20 MB) was held in memory as a tree "
        + "(paths of names and * with conditions such as [@id='7'] and [2] need no tree)"
    ),
    (
      .pathsOfRows(table: "t"),
      """
      a path in this database leads to rows and columns, such as t[*].COLUMN, not into data or views \
      (--table NAME reads a view)
      """
    ),
    (
      .pathsOfRows(table: nil),
      """
      a path in this database leads to rows and columns, such as [*].COLUMN, not into data or views \
      (--table NAME reads a view)
      """
    ),
    (
      .classMisfit("Person", count: 1, why: "has no key middle", first: InputLocation(object: 5)),
      "1 object of Person keeps its archived keys: the file of classes does not fit (it has no key middle)"
    ),
    (
      .classAsKey(count: 2),
      "2 dictionaries with the key $class stay dictionaries; objects are made from a document in the typed form: "
        + #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":…}}}"#
    ),
    (
      .unknownClass("Persn", near: "Person"),
      "no class is named \"Persn\", which is to be renamed (did you mean \"Person\"?)"
    ),
    (
      .unnamedFiles(["a.png", "b.png"]),
      "no record names \"a.png\", \"b.png\" any more (the files stay in the package)"
    ),
    (
      .lowercaseEscapes(count: 2, first: InputLocation(line: 1, column: 2, byte: 1)),
      "2 escapes \\u are read as the letter u, as Apple's programs do (\\U is the escape of a character)"
    ),
    (.repeatedKeys(count: 1, first: ValuePath([.key("a")])), "1 key occurs twice in one dictionary (at a)"),
    (.repeatedKeys(count: 2, first: nil), "2 keys occur twice in one dictionary"),
    (
      .hiddenEncoding("IBM037"),
      "the output is in IBM037, which its first bytes do not show: a reader must be told the encoding "
        + "(--encoding IBM037 reads it)"
    ),
    (
      .newTable("peple", beside: ["people"]),
      "the database had no table \"peple\", which is new; there is \"people\""
    ),
    (
      .missingLog,
      "changes that are only in the write-ahead log (-wal) of the database are missing: the log was not read "
        + "(give the name of a database that has its log beside it)"
    ),
    (
      .uncheckedTables(["2024", "log"]),
      "the pages and the indexes of 2 tables were not checked: \"2024\", \"log\""
    ),
  ]

  @Test(arguments: notes)
  func `The command adds its advice to a note`(_ note: Note, _ text: String) {
    #expect(note.advised == text)
  }

  @Test func `A note on the name of an output has the advice of an extension only if the format has one`() {
    let words = "but its name has the extension of CSV, by which programs read it"
    let yaml = Note.otherExtension(of: "CSV", document: "YAML", usual: "yaml")
    let advice = "(-o FILE.yaml or --out-dir gives it its own extension)"
    #expect(yaml.advised == "the output is YAML, \(words) \(advice)")
    let table = Note.otherExtension(of: "CSV", document: "a table", usual: nil)
    #expect(table.advised == "the output is a table, \(words)")
  }

  @Test func `An error in a report has the message of the library, and the hint beside it`() async throws {
    try directory.write("a.json", "[1,]")
    let run = try await ToolRun.ferry("check", "a.json", "--json")
    #expect(
      run.output == """
        {"file":"a.json","ok":false,"errors":[{"file":"a.json","code":"json.expected",\
        "message":"expected a value, found \\"]\\" (JSON has no comma after the last value)",\
        "hint":"use --from jsonc","line":1,"column":4,"byte":3,"path":"[1]"}]}

        """)
    let message = "expected a value, found \"]\" (JSON has no comma after the last value; use --from jsonc)"
    #expect(run.errors.hasPrefix("a.json:1:4: \(message) (at [1])\n"), "\(run.errors)")
  }

  @Test
  func `A reference that another file may declare is left out with advice on the options that declare it`()
    async throws
  {
    try directory.write("e.xml", "<!DOCTYPE d SYSTEM \"d.dtd\"><d>M&uuml;ller</d>")
    let advice = "--html-entities and --dtd FILE declare them"
    let words = "references to entities that are declared outside of the document are left out"
    let left = try await ToolRun.ferry("convert", "e.xml", "--to", "json")
    #expect(left.status == 0 && left.output == #"{"d":"Mller"}"# + "\n")
    #expect(left.errors.hasSuffix(", \(words); \(advice) (1)\n"), "\(left.errors)")
    let report = try await ToolRun.ferry("convert", "e.xml", "-o", "e.json", "-q", "--report", "-")
    #expect(
      report.output.contains("\"message\": \"\(words)\",\n      \"hint\": \"\(advice)\""), "\(report.output)")
    let declared = try await ToolRun.ferry("convert", "e.xml", "--to", "json", "--html-entities")
    #expect(declared.output == #"{"d":"Müller"}"# + "\n" && !declared.errors.contains("references"))
    try directory.write("e.dtd", "<!ENTITY uuml \"ü\">")
    let piped = try await ToolRun.shell("cat e.dtd | ferry convert e.xml --to json --dtd /dev/stdin")
    #expect(piped.output == declared.output, "\(piped.errors)")
    // Without a file that may declare it, and for an entity whose text is in another file, the reference is an error.
    try directory.write("f.xml", "<d>M&uuml;ller</d>")
    try directory.write("g.xml", "<!DOCTYPE d [<!ENTITY x SYSTEM \"x.txt\">]><d>&x;</d>")
    for (file, message) in [
      ("f.xml", "the entity \"uuml\" is not declared"), ("g.xml", "the external entity \"x\""),
    ] {
      let run = try await ToolRun.ferry("convert", file, "--to", "json")
      #expect(run.status == 1 && run.errors.contains(message), "\(run.errors)")
    }
  }

  @Test func `An option of other commands and tools is answered by every command`() {
    let commands = Help.commands.filter { !["", "schema", "plutil", "plistbuddy"].contains($0) }.map { [$0] }
    for command in commands + ["infer", "check", "show", "list"].map({ ["schema", $0] }) {
      for option in ["-t", "-p", "-r", "--indent", "--compact", "--raw", "-V", "-S", "-c", "--indent=2"] {
        // The parser reports only options that the command does not have, as get has --raw.
        if command == ["get"], option == "--raw" { continue }
        let message = "Error: Unknown option '\(option)'. Did you mean '--tab'?\nUsage: ferry\n"
        let corrected = Suggestion.corrected(message, for: command + ["a.json", option])
        #expect(!corrected.contains("Did you mean"), "\(command) \(corrected)")
        #expect(corrected.hasSuffix(".\nUsage: ferry\n"), "\(command) \(corrected)")
      }
    }
    #expect(
      Suggestion.corrected("Error: give two files\nUsage: ferry\n", for: ["diff", "a", "b", "c"])
        == "Error: give two files\nUsage: ferry\n")
  }

  @Test func `An unknown option is named also if its value is taken for a file`() async throws {
    try directory.write("a.json", "1")
    for (arguments, message) in [
      (
        ["diff", "a.json", "a.json", "--table", "t"],
        "Error: Unknown option '--table' (an option of ferry convert"
      ),
      (
        ["convert", "a.json", "--prety", "t", "-o", "b.json"],
        "Error: Unknown option '--prety'. Did you mean '--pretty'?\n"
      ),
      (
        ["diff", "a.json", "a.json", "--bogus=1", "a.json"],
        "Error: Unknown option '--bogus'.\nUsage: ferry diff"
      ),
      (["diff", "a.json", "a.json", "a.json"], "Error: give two files to compare\nUsage: ferry diff"),
      (["diff", "--", "a.json", "--bogus", "a.json"], "Error: give two files to compare\nUsage: ferry diff"),
    ] {
      let run = try await ToolRun.ferry(arguments)
      #expect(run.status == 64)
      #expect(run.errors.hasPrefix(message), "\(run.errors)")
    }
  }

  @Test func `The property list utilities give no advice on options that they do not have`() async throws {
    try directory.write("a.json", "[1,]")
    let run = try await ToolRun.ferry("plutil", "-convert", "xml1", "a.json")
    #expect(run.status != 0)
    #expect(!(run.output + run.errors).contains("--"))
  }

  private static let ofCommands: [(String, Hint, Hint?)] = [
    ("set", "--to-encoding utf-8 has all", nil),
    ("convert", "--to-encoding utf-8 has all", "--to-encoding utf-8 has all"),
    ("rename", .joined("use --from jsonc"), nil),
    ("check", .joined("use --from jsonc"), .joined("use --from jsonc")),
    ("rename", "use --from FORMAT; ferry formats lists the formats", "ferry formats lists the formats"),
    ("set", "get --bytes writes its bytes", "get --bytes writes its bytes"),
    (
      "set", "ferry convert FILE -i --to xml writes it first",
      "ferry convert FILE -i --to xml writes it first"
    ),
    ("patch", .clause("--type json replaces it as a whole"), nil),
    ("check", "write _:name, or p:name with --ns p=u", "write _:name"),
    ("show", "use --schema FILE, or leave out --allow-newer", "use --schema FILE"),
    (
      "show",
      .sentence(
        "one table (name it with --table; --out-dir writes all)",
        advice: "name it with --table; --out-dir writes all"),
      .sentence("one table (name it with --table)", advice: "name it with --table")
    ),
    ("set", .sentence("nothing matches --select"), nil),
  ]

  @Test(arguments: ofCommands.indices)
  func `A command advises only options that it has`(_ index: Int) throws {
    let (command, hint, wanted) = Self.ofCommands[index]
    let options = try #require(CommandOptions(of: command.split(separator: " ").map(String.init)))
    #expect(hint.advising(options) == wanted, "\(command)")
    #expect(CommandOptions(of: ["x"]) == nil, "no command has the name")
  }

  @Test func `A command does not advise an option of another command`() async throws {
    try directory.write("a.yaml", "a: x\n")
    let run = try await ToolRun.ferry("set", "a.yaml", "a", "é", "--encoding", "shift_jis")
    #expect(run.status == 1 && run.errors.contains(" has no "), "\(run.errors)")
    #expect(!run.errors.contains("--"), "\(run.errors)")
  }
}
