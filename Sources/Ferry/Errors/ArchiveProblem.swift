/// A problem of a keyed archive, beyond those of its property list.
public enum ArchiveProblem: Hashable, Sendable {
  /// A part of the archive is missing or invalid.
  case malformed(String)
  /// A reference to an object that `$objects` does not have.
  case danglingReference(UInt64, objects: Int)
  /// The `$class` of an object refers to something other than a class description.
  case notAClass(UInt64)
  /// A collection whose keys and values do not match, or whose entries are missing.
  case badCollection(String)
  /// The archive cannot be written, because the events had an invalid order.
  case badEvents(String)
  /// A reference to an identity that no object has.
  case unknownIdentity(Int)
  /// The content of an object is neither its archived keys nor the decoded form of its class; the names of
  /// the decoded form's parts.
  case noDecodedForm(of: String, parts: [String])
  /// A new name for a class or a key with which an object could not be read, and the reason.
  case unfitName(String)
  /// A file in which archives are sought is not a property list.
  case notAPropertyList
}

extension ArchiveProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .malformed(let what): "not a keyed archive: \(what)"
    case .danglingReference(let number, let objects):
      "a reference to object \(number), but the archive has \(objects) objects"
    case .notAClass(let number): "the object's class is object \(number), which is not a class"
    case .badCollection(let what): what
    case .badEvents(let what): what
    case .unknownIdentity(let identity): "a reference to \(identity), but no object has that identity"
    case .notAPropertyList: "not a keyed archive: only property lists have archives in them"
    case .unfitName(let why): "this object does not fit its new name: \(why)"
    case .noDecodedForm(let name, let parts):
      parts.isEmpty
        ? "this is not a value for \(nameWithArticle(name))"
        : "this is not a value for \(nameWithArticle(name)), which has \(parts.joined(separator: ", "))"
    }
  }
}

/// Returns the name of a class with its article.
func nameWithArticle(_ name: String) -> String {
  (name.hasPrefix("NS") || "AEIO".contains(name.prefix(1)) ? "an " : "a ") + nameForMessage(name)
}

extension ArchiveProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .malformed: "malformed"
    case .danglingReference: "dangling-reference"
    case .notAClass: "not-a-class"
    case .badCollection: "bad-collection"
    case .badEvents: "bad-events"
    case .unknownIdentity: "unknown-identity"
    case .noDecodedForm: "no-decoded-form"
    case .unfitName: "unfit-name"
    case .notAPropertyList: "not-a-property-list"
    }
  }
}
