import Ferry

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

// The advice about problems with files, records and limits. Each function lists all problems, so that a new one needs a
// decision.

extension Hint {
  static func about(_ limit: Budget.Limit) -> Hint? {
    switch limit {
    case .depth: "--max-depth raises the limit"
    case .tokenBytes: "--max-token raises the limit"
    case .textBytes: "--max-document raises the limit"
    case .inputBytes: "--max-input raises the limit"
    case .attributes, .declarations: "--max-attributes raises the limit"
    case .names: "--max-names raises the limit"
    case .files: "--max-files raises the limit"
    case .amplification, .steps: "--max-amplification raises the limit"
    case .nesting: "--max-nesting raises the limit"
    case .windowBytes: "--max-window raises the limit"
    case .fixedDepth, .entityDepth, .values: nil
    }
  }

  static func about(_ problem: FileProblem) -> Hint? {
    switch problem {
    case .binaryToTerminal: "use -o FILE, or -o - to write it anyway"
    case .nothingSelected: .sentence("nothing matches --select; the file was not replaced")
    case .recordsLeftOut: "-o FILE or --out-dir writes the other records"
    case .unknownFormat(let likely):
      about(unknownFormat: likely, among: CommandOptions.running?.hasSeveralInputs ?? false)
    case .unknownTarget: "use --to FORMAT; ferry formats lists the formats"
    case .notText(let format, let reason):
      .sentence(
        "\(reason.advised); the file begins like \(format) (use --from text to read it as text)",
        advice: "use --from text to read it as text")
    case .notWritten(Format.zip.rawValue): "\(WrittenFormat.insteadOfArchive)"
    case .notWritten, .notRead: "ferry formats lists the formats"
    case .alreadyRead: "use a file for one of them"
    case .notWritable(_, let errno) where errno == Errno.permissionDenied.rawValue:
      "chmod u+w makes a read-only file writable"
    case .exists: "use --force to replace it"
    case .outputIsSource where CommandOptions.running?.isOfRename == true:
      "give another folder; without --out-dir, rename changes the file in place"
    // A database is not converted in place.
    case .outputIsSource(let name) where Format.ofFile(named: name)?.isDatabase == true: "give another file"
    case .outputIsSource: "give another file, or use --in-place to convert the input itself"
    case .outputIsRead, .isStandardOutput: "give another file"
    case .outputTaken(_, _, differsInExtension: true): "--keep-extension keeps the extensions of both"
    case .outputTaken: "use another --out-dir for one of them"
    case .noNameInRecord: "give another path, or use --split without --split-by, which numbers the files"
    case .sameNameInRecord, .sameNameInInput:
      "give the path of a value that differs in each record, or use --split without --split-by, which numbers the files"
    case .tableOutputTaken: "use --table NAME -o FILE for one of them"
    case .system, .notFound, .folderNotFound, .folderNotWritable, .notWritable, .temporaryFolder,
      .nameNotUTF8, .closed, .changedMeanwhile, .isDirectory, .notADirectory, .empty, .otherKind, .zeroRun,
      .likely, .conflict,
      .namedTwice, .noInputs, .outputIsInput, .brokenPipe, .tooLarge, .notRewindable, .notOpen,
      .readInside:
      nil
    }
  }

  /// Returns the advice about an input whose format is not recognized.
  ///
  /// - Parameters:
  ///   - likely: The format that it may have.
  ///   - areSeveral: True if there are other inputs, which the option would be for, too.
  static func about(unknownFormat likely: FileProblem.LikelyFormat?, among areSeveral: Bool) -> Hint {
    let alone = areSeveral ? " in a run of this input alone" : ""
    return "use --from \(likely?.rawValue ?? "FORMAT")\(alone); ferry formats lists the formats"
  }

  static func about(_ problem: PackageProblem) -> Hint? {
    switch problem {
    case .unknownType, .noSuchType: .joined("--types FILE adds others")
    case .noAttachment: "use --attachments FOLDER"
    case .needsPath: "use -o PATH"
    case .inArchive(let type): "\"ferry convert ARCHIVE -o NAME.\(type)\" unpacks it"
    case .nothingToExtract: .sentence("--extract writes the files of a package, and this is not a package")
    case .noMainFile, .noFile, .differentFiles, .badName, .otherKind, .isLink, .isFolder, .notPNG, .changed,
      .notAPackage, .outputInside, .onlyWithPackages:
      nil
    }
  }

  static func about(_ problem: DocumentProblem) -> Hint? {
    switch problem {
    case .otherRecords: "use --to archive -o x.archive for other objects"
    case .editedRecords, .editedFiles: "--force writes it anyway"
    case .unreadableObject(let flaw): about(flaw)
    case .editedFormat: "ferry convert changes the format of a file"
    case .otherKind: "use ferry convert to convert it"
    case .losesBase: "give the types with --schema, or make the change in the format of the base"
    case .losesOurs: "give the types with --schema"
    case .notDescribed: "use the typed form"
    case .archiveRoots: "merge the archives as separate files"
    case .notFound, .changedByAnother, .removed, .moved, .notOpen, .unsavedChanges, .changesWhileRead, .busy,
      .lockedHere, .editEnded, .noContents, .neitherFileNorFolder, .badContents, .archiveEntries:
      nil
    }
  }

  static func about(_ problem: RecordProblem) -> Hint? {
    switch problem {
    case .ofBuiltIn(let problem, let schema): about(problem, ofBuiltIn: schema)
    case .newerVersion(_, _, let known): "use --allow-newer to read it as version \(known)"
    case .otherVersion: "use \"ferry convert -i --schema FILE\" on the document first"
    case .onlyKeyedRecords: "--select '[*]' reads its values as records"
    case .noKey: "use --key FIELD, or a schema with a key"
    case .losesTypes: "give the types with --schema"
    case .notSelected(_, let record):
      "select the records, as with --select //\(record.filter { !"<>".contains($0) })"
    case .notAList: "use --schema FILE if a schema names the list in it"
    case .notADictionary, .notEntries: "--select PATH reads a value inside it"
    case .otherField: "--entry-names KEY,VALUE if they have other names"
    case .noClass(_, let known): known.isEmpty ? "use --schema" : nil
    case .noVersions: "use --schema FILE with versions, or leave out --allow-newer"
    case .noOlderKeys: "use --schema FILE with alsoWrite, or leave out --older-keys"
    case .nothingToLeaveOut: "use --schema, or leave out --keep-going"
    case .otherSchema: "\"ferry schema infer FILE -o NAME.schema.json\" makes one that is"
    case .badSchema, .badClasses, .badTypes, .unknownSchema, .missingField, .notAScalar, .repeatedField,
      .badField,
      .notARecord, .duplicateKey, .repeatedKey, .addingLoses, .addingReencodes, .noRecords, .severalRecords:
      nil
    }
  }

  private static func about(_ problem: RecordProblem, ofBuiltIn schema: String) -> Hint {
    let advice = "--schema none reads the file by convention"
    guard let hint = about(problem) else { return .joined(advice) }
    let problem = hint.added(to: problem.description)
    return .sentence("\(problem) (the built-in schema \(schema) asks for it; \(advice))", advice: advice)
  }

  static func about(_ problem: DatabaseProblem) -> Hint? {
    switch problem {
    case .whichTable(let known):
      .sentence(
        "a schema applies to the records of one table (name it with --table); \(DatabaseProblem.list(known))",
        advice: "name it with --table")
    case .severalTables(let known): several(known)
    case .viewForRows, .internalTable: "--table names another table"
    case .noTables(let format): .sentence("--table needs a database, and this is \(format)")
    case .notATable: "--table NAME makes one table of the records"
    case .noPaths:
      "use ferry convert --to json, with --select 'TABLE[*].COLUMN' for a column and --expand for its data"
    case .onlyPlain: "use --form plain"
    case .notRewritten:
      "\"ferry convert --append --table NAME\" adds records, \"ferry convert -o FILE\" writes another file"
    case .addedToItself: "write them to another file first, such as -o records.jsonl"
    case .needsTemplate:
      "--template STORE copies a store with these objects; --append adds them to an existing store"
    case .whichEntity(let known):
      .sentence(
        "the records belong to one entity (name it with --table); \(DatabaseProblem.list(known))",
        advice: "name it with --table")
    case .untrusted: "read the tables that a view uses in its place; drop a trigger before rows are added"
    case .notBuiltIn, .notADatabase, .locked, .damaged, .refused, .interrupted, .unknownTable, .virtualTable,
      .viewOfVirtualTable, .notARow,
      .sameColumn, .sameTable, .otherVersion, .noColumn, .tooManyColumns, .droppedByTrigger,
      .removedByTrigger, .badName,
      .integerRange,
      .logBeside, .noFileBeside, .notAStore, .unknownEntity, .notObjects, .noAttribute, .sameObject,
      .sameTwice, .noObject,
      .contradiction, .secondOwner, .noKeyLeft:
      nil
    }
  }

  private static func several(_ known: [String]) -> Hint {
    let advice = "name it with --table; --out-dir writes a file for each"
    return .sentence(
      "the output has room for one table (\(advice)); \(DatabaseProblem.list(known))", advice: advice)
  }
}
