#!/usr/bin/env bash
# Finds tables in Sources that are keyed by `String`: its equality is canonical equivalence, which merges texts that files
# tell apart. Names and values of a file are keyed by `ExactString`. What may stay is listed below, with its reason.
#
#   Scripts/text-keys.sh
set -euo pipefail
cd "$(dirname "$0")/.."

allowed() { # file, why
  skipped+=(":(exclude)Sources/$1")
}
skipped=()
allowed Ferry/Editing/Renaming/ArchiveRenaming.swift "a caller's names, made exact before a file's are looked up"
allowed Ferry/Archives/Coding/ClassMap.swift "a caller's names, made exact as they are added"
allowed Ferry/Archives/Coding/ArchivedDecoder.swift "the type that an error names"
allowed Ferry/Conversion/Conversion.swift "a caller's names, made exact by ClassRenamer"
allowed Ferry/Conversion/Pipeline.swift "a caller's names, made exact by ClassRenamer"
allowed Ferry/Documents/Seeding/Seed.swift "a caller's names, made exact by Schema.renamingClasses"
allowed Ferry/Documents/DocumentType+Checking.swift "a caller's names, made exact by Schema.renamingClasses"
allowed Ferry/Documents/Seeding/Value+Classes.swift "a caller's names, made exact as they are taken out"
allowed Ferry/Records/Schema.swift "a caller's names, made exact by renamingClasses"
allowed Ferry/Documents/Packages/Package.swift "names that a volume which ignores case and normalization takes for one"
allowed Ferry/Bytes/TemporaryFolder.swift "paths that Ferry has made"
allowed Ferry/Bytes/FileOutput.swift "paths that Ferry has made"
allowed Ferry/Values/ExactString.swift "the type itself"
allowed FerryTool/Commands/Batch.swift "output paths that a volume may take for one"

found=$(git grep --untracked -nE '\[String ?: |Set<String>|Dictionary<String|OrderedSet<String' \
  -- 'Sources/*.swift' "${skipped[@]}" | grep -vE '^[^:]*:[0-9]+: *///?' || true)
[ -z "$found" ] && exit 0
echo "$found"
echo "key these tables by ExactString, or say in Scripts/text-keys.sh why text of a file never gets there" >&2
exit 1
