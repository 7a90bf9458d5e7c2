/// A problem in a keyed archive whose property list is valid.
public enum ArchiveProblem: Hashable, Sendable {
  /// A part of the archive is missing or invalid.
  case malformed(String)
  /// A reference to an object that does not exist in `$objects`.
  case danglingReference(UInt64, objects: Int)
  /// An object's `$class` that refers to something other than a class description.
  case notAClass(UInt64)
  /// A collection whose keys and values do not match, or that lacks entries.
  case badCollection(String)
  /// Events in an invalid order, so that the archive cannot be written.
  case badEvents(String)
  /// A reference by the number of an object, which only the raw form has.
  case rawReference
  /// A reference to an identity without an object.
  case unknownIdentity(Int)
  /// An object whose content is neither its archived keys nor the decoded form of its class, with the names
  /// of the decoded form's parts, and the part that is at fault in words if it is known: `"code" is not an integer`.
  case noDecodedForm(of: String, parts: [String], fault: String? = nil)
  /// A new name for a class or a key that would make an object unreadable, the reason, and whether
  /// `ArchiveRenaming.acceptsUnfitObjects` accepts the name.
  case unfitName(String, isAcceptable: Bool = false)
  /// A part of a compiled nib file is missing or invalid.
  case badNib(String)
  /// A file in which archives are sought is not a property list.
  case notAPropertyList
  /// Values to write as an archive in the raw form that are not the property list of an archive.
  case notRawForm
  /// Data to open in the raw form of an archive, which would not be an archive then.
  case dataInRawForm
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
    case .rawReference:
      "a reference by the number of an object, {\"$uid\": 3} or {\"CF$UID\": 3}, is only for the raw form"
    case .unknownIdentity(let identity): "a reference to \(identity), but no object has that identity"
    case .notAPropertyList: "not a keyed archive: only property lists have archives in them"
    case .notRawForm:
      "these values are not an archive in the raw form, a dictionary with $archiver, $top and $objects"
    case .dataInRawForm:
      "data in the raw form of an archive cannot be opened, because the result would not be an archive"
    case .badNib(let what): "not a valid NIBArchive: \(what)"
    case .unfitName(let why, _): "this object does not fit its new name: \(why)"
    case .noDecodedForm(let name, let parts, let fault):
      "this is not a value for \(nameWithArticle(name))"
        + (parts.isEmpty ? "" : ", which has \(parts.joined(separator: ", "))")
        + (fault.map { ": \($0)" } ?? "")
    }
  }
}

/// Returns the name of a class with an indefinite article.
func nameWithArticle(_ name: String) -> String {
  (name.hasPrefix("NS") || "AEIO".contains(name.prefix(1)) ? "an " : "a ") + MessageText.name(name)
}

extension ArchiveProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .malformed: "malformed"
    case .danglingReference: "dangling-reference"
    case .notAClass: "not-a-class"
    case .badCollection: "bad-collection"
    case .badEvents, .rawReference: "bad-events"
    case .badNib: "bad-nib"
    case .unknownIdentity: "unknown-identity"
    case .noDecodedForm: "no-decoded-form"
    case .unfitName: "unfit-name"
    case .notAPropertyList: "not-a-property-list"
    case .notRawForm: "not-raw-form"
    case .dataInRawForm: "data-in-raw-form"
    }
  }
}
