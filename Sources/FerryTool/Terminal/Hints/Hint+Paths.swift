import Ferry

// The advice about problems with values and their paths. The functions list all problems, so that a new one needs a decision.

extension Hint {
  static func about(_ problem: PathProblem) -> Hint? {
    switch problem {
    // An XPath for another format than XML.
    case .badSyntax(let text, offset: 0, _) where XPathReading.isXPath(text):
      .joined("ferry find --key KEY prints the paths of the values for a key")
    // A JSON pointer such as `//name`, which is meant for an XPath.
    case .noKey(let key, _, _) where key.isEmpty: insteadOfXPath
    case .noStep("key \"\"", _): insteadOfXPath
    // A step of an XPath such as `/hosts/host[1]/@id`, which is read as a JSON pointer.
    case .noKey(let key, _, _) where key.hasSuffix("]") && key.contains("["):
      .joined("a path joins keys by dots, and counts from 0: hosts.host[0].@id")
    case .noKey(let key, _, _) where isOptionAfterTerminator(key),
      .onlyInsertable(.noKey(let key, _, _)) where isOptionAfterTerminator(key):
      .joined("write options before --")
    // The last key of the path is new, so that one before it is missing.
    case .noKey where CommandOptions.running?.isOfInsert == true:
      "insert it first, with its contents, such as '{}' --type json"
    case .onlyInsertable: .joined("set --insert adds or changes it")
    case .noNewPath(.noKey): .joined("use ferry insert to add it first")
    case .exists(let key) where CommandOptions.running?.isOfTransfer == true:
      .sentence("the key \(MessageText.quoted(key)) already exists (--replace replaces its value)")
    case .exists: .joined("set --insert also adds it")
    case .noList(_, _, let element?):
      .joined(
        "--list \(element) makes a list even of a single <\(element)>; ferry find --key KEY prints the paths of the values for a key"
      )
    case .noList: .joined("ferry find --key KEY prints the paths of the values for a key")
    case .noneMatches(_, _, let problem): about(problem)
    case .noRows where CommandOptions.running?.isOfTransfer == true:
      "ferry rename FILE --key OLD=NEW renames a column in the header"
    case .unreadData: "get --bytes writes its bytes"
    case .severalValues: "ferry get prints all of them"
    case .countsFromEnd:
      .sentence(
        "--select cannot count from the end of a list, because it reads the list from its beginning "
          + "(use ferry get, unless this is a database)",
        advice: "use ferry get, unless this is a database")
    case .repeatedKey(let key):
      .sentence(
        "the key \(MessageText.quoted(key)) occurs twice here, and --select reads values only once (use ferry get)",
        advice: "use ferry get")
    case .badText(_, _, isFound: true): "--type sets one of another type"
    case .textNotUTF8:
      "--from-file with --type data takes other bytes, and with --type plist a binary property list"
    case .cannotPut(let value, .unreadable(let reason)):
      .sentence("cannot put \(value) here: \(reason.advised)", advice: reason.hint?.advice)
    case .cannotPut(_, let obstacle): about(obstacle)
    case .notEditable(let format, let alternative): about(alternative, of: format)
    // The message names the operation that adds a value.
    case .inPatch(_, .path(.onlyInsertable)), .inPatch(_, .path(.exists)),
      .inPatch(_, .path(.badText(_, _, isFound: true))):
      nil
    case .inPatch(let operation, let problem): problem.hint?.inPatch(operation)
    case .notTyped: "ferry convert FILE --form typed writes the typed form of the other file"
    case .replacesData: "ferry diff --json without --expand gives a patch that replaces it"
    case .patchFails(let error):
      .sentence(
        PathProblem.failure(ofPatch: error, in: error.advisedMessage),
        advice: error.reason.hint?.advice)
    case .badSyntax, .noKey, .dividedKey, .noElement, .notOneElement, .noneHasKey, .noStep, .noParts,
      .afterLast,
      .noMatch, .noRows, .cannotInsert, .noNewPath, .isRoot, .badText, .cannotRemove, .cannotMove, .badPatch,
      .noPatch, .otherThanTested:
      nil
    }
  }

  /// The advice about an XPath in place of a path.
  private static var insteadOfXPath: Hint {
    .joined("ferry find --key KEY prints the paths of elements, and of attributes as @KEY")
  }

  private static func isOptionAfterTerminator(_ key: String) -> Bool {
    CommandOptions.running?.isOptionAfterTerminator(key) == true
  }

  private static func about(_ obstacle: PathProblem.Obstacle) -> Hint? {
    switch obstacle {
    case .becomesReference: "--form raw sets a reference"
    case .keepsClass:
      "use ferry rename --class Old=New to rename a class, or set the whole object to make it one of another class"
    case .flaw(let flaw): about(flaw)
    case .neighbor: "use --type to set the type of the new element"
    case .current: .clause("--type json replaces it as a whole")
    case .attributes(hasText: true): ##"add ["#text"] to the path"##
    case .attributes(hasText: false): ##"add ["#text"] to the path; set --insert adds the text"##
    case .readsBackOtherwise(isUnicode: true): "use ferry edit to edit the text"
    case .readsBackOtherwise(isUnicode: false), .lacksCharacter:
      "ferry convert FILE -i --to xml writes the document in UTF-8 first"
    case .objectOfClass, .unreadable, .markup, .other: nil
    }
  }

  private static func about(_ alternative: PathProblem.Alternative, of format: String) -> Hint? {
    switch alternative {
    case .wholeFile: return "use ferry edit to open the file"
    case .keyedArchive:
      return "use ferry convert FILE -o FILE.archive to make a keyed archive, which can be edited"
    case .display: return "use ferry show to see values"
    case .keysOfElements:
      let advice = "name elements by their keys, as ferry find --no-order prints them"
      return .sentence("values of \(format) cannot be changed by path (\(advice))", advice: advice)
    case .wholeValue, .other: return nil
    }
  }

  /// Returns the advice about a problem in an operation of a patch.
  private func inPatch(_ operation: PathProblem.Operation) -> Hint {
    guard case .sentence(let text, let advice) = self else { return self }
    return .sentence("\(operation): \(text)", advice: advice)
  }

  static func about(_ kind: Loss.Kind) -> Hint? {
    switch kind {
    case .nothingSelected: .sentence("nothing matches --select")
    case .undeclaredEntity: .clause("--html-entities and --dtd FILE declare them")
    default: nil
    }
  }

  static func about(_ note: Note) -> Hint? {
    switch note {
    case .readByConvention(let schema, _, isReadable: true): "--schema \(schema) reads it so"
    case .readWithoutSchema(let reason):
      .sentence("read without a schema: \(reason.advised)", advice: reason.hint?.advice)
    case .oneRecord(let element, let list): "--select /\(element)/\(list) describes each of these"
    case .inNamespace(let namespace): "write _:name, or p:name with --ns p=\(namespace)"
    case .nothingSelected: about(Loss.Kind.nothingSelected)
    case .heldInMemory: "paths of names and * with conditions such as [@id='7'] and [2] need no tree"
    case .unevenLists(let first, _): "--list \(first.description) makes a list in all of them"
    case .hiddenEncoding(let name): "--encoding \(name) reads it"
    case .otherExtension(_, _, let usual?): "-o FILE.\(usual) or --out-dir gives it its own extension"
    case .pathsOfRows: "--table NAME reads a view"
    case .likelyUTF8: "--to-encoding is for the output; without --encoding, it is read as UTF-8"
    case .otherDelimiter: "--to-delimiter is for the output"
    case .missingLog: "give the name of a database that has its log beside it"
    case .readByConvention, .otherExtension, .classMisfit, .unknownClass, .noList, .repeatedKeys, .setsKept,
      .unnamedFiles,
      .lowercaseEscapes,
      .sample, .emptyKey, .textBesideElements, .newTable, .classAsKey, .uncheckedTables:
      nil
    }
  }
}
