/// A problem in a YAML text.
public enum YAMLProblem: Hashable, Sendable {
  /// A problem in the words of libyaml.
  case syntax(String)
  /// Bytes that are not UTF-8.
  case notUTF8
  /// An alias without an anchor before it.
  case unknownAlias(String)
  /// An alias inside the value that its anchor marks.
  case recursiveAlias(String)
  /// A text that is not a value of its tag. `isOlder` is true if it is one in YAML 1.1, as `yes` is a boolean.
  case badScalar(tag: String, text: String, isOlder: Bool = false)
  /// A tag on a collection of another kind.
  case badCollection(tag: String)
  /// A merge key whose value is not a mapping or a list of mappings.
  case badMerge
  /// A second document in a text that is read or changed as one.
  case severalDocuments
  /// A change of a value that an anchor shares with its aliases.
  case sharedValue(anchor: String)
  /// A change at an anchor and all of its aliases that gives them or others another value.
  case notAtAliases(anchor: String)
  /// A removal of an entry in whose place a merge key would add the one of another mapping. The anchor is nil for a mapping without one.
  case mergedEntry(key: String, anchor: String?)
  /// A change that removes an anchor to which an alias refers.
  case removedAnchor(String)
  /// A change of a text with comments, anchors, tags or several documents, which the changed text would lose.
  case notChanged
  /// A text of another format with the options for YAML.
  case notYAML(format: String)
  /// The build lacks the trait `YAML`.
  case notBuiltIn
}

extension YAMLProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .syntax(let message): "not valid YAML: \(message)"
    case .notUTF8: "these bytes are not UTF-8"
    case .unknownAlias(let name): "no anchor \(MessageText.quoted("&" + name)) precedes this alias"
    case .recursiveAlias(let name):
      "the alias \(MessageText.quoted("*" + name)) is inside the value of its own anchor, which is not supported"
    case .badScalar(let tag, let text, isOlder: true):
      "\(MessageText.quoted(text)) is a value of the tag \(tag) only in YAML 1.1, and all documents are read as YAML 1.2"
    case .badScalar(let tag, let text, _): "\(MessageText.quoted(text)) is not a value of the tag \(tag)"
    case .badCollection(let tag): "the tag \(tag) does not fit this value"
    case .badMerge: "the value of the merge key << must be a mapping or a list of mappings"
    case .severalDocuments: "a second document begins here, and only one can be read or changed"
    case .sharedValue(let name):
      "the anchor \(MessageText.quoted("&" + name)) and its aliases share this value, which can be changed only at all of them"
    case .notAtAliases(let name):
      "this change cannot be made at the anchor \(MessageText.quoted("&" + name)) and all of its aliases"
    case .mergedEntry(let key, let anchor):
      "without this entry, the merge key << would give \(MessageText.quoted(key)) "
        + (anchor.map { "the value of the anchor \(MessageText.quoted("&" + $0))" } ?? "another value")
    case .removedAnchor(let name):
      "this change would remove the anchor \(MessageText.quoted("&" + name)), but an alias refers to it"
    case .notYAML(let format): "the options for YAML cannot be used, because the input is \(format)"
    case .notChanged:
      "no change in the text gives this value, and writing the file anew would lose its comments, anchors, tags or layout"
    case .notBuiltIn: "this build of Ferry does not read YAML (it was built without the trait YAML)"
    }
  }
}

extension YAMLProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .syntax: "syntax"
    case .notUTF8: "not-utf8"
    case .unknownAlias: "unknown-alias"
    case .recursiveAlias: "recursive-alias"
    case .badScalar: "bad-scalar"
    case .badCollection: "bad-collection"
    case .badMerge: "bad-merge"
    case .severalDocuments: "several-documents"
    case .sharedValue: "shared-value"
    case .notAtAliases: "not-at-aliases"
    case .mergedEntry: "merged-entry"
    case .removedAnchor: "removed-anchor"
    case .notYAML: "not-yaml"
    case .notChanged: "not-changed"
    case .notBuiltIn: "not-built-in"
    }
  }
}
