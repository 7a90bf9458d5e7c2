/// What can be wrong with a keyed archive, beyond what is wrong with its property list.
public enum ArchiveProblem: Hashable, Sendable {
  /// A part of the archive is missing or is not what it has to be.
  case malformed(String)
  /// A reference to an object that `$objects` does not have.
  case danglingReference(UInt64, objects: Int)
  /// An object's `$class` refers to something that is not a class.
  case notAClass(UInt64)
  /// A collection whose keys and values do not match, or whose entries are missing.
  case badCollection(String)
  /// The archive cannot be written, because events were sent in an order that means nothing.
  case badEvents(String)
  /// A reference to an identity that was never given to an object.
  case unknownIdentity(Int)
  /// What an object of a class holds is neither its archived keys nor what the class means; the names of the parts that a
  /// meaning has.
  case noMeaning(of: String, parts: [String])
}

extension ArchiveProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .malformed(let what): "not a keyed archive: \(what)"
    case .danglingReference(let number, let objects):
      "a reference to object \(number), but the archive has \(objects) objects"
    case .notAClass(let number): "the object's class is object \(number), which is not a class"
    case .badCollection(let what): what
    case .badEvents(let what): what
    case .unknownIdentity(let identity): "a reference to \(identity), which is the identity of no object"
    case .noMeaning(let name, let parts):
      parts.isEmpty
        ? "the value is none that \(article(name)) can have"
        : "the value is none that \(article(name)) can have; its parts are \(parts.joined(separator: ", "))"
    }
  }
}

/// A class's name with the article that it takes.
private func article(_ name: String) -> String {
  name.hasPrefix("NS") || "AEIO".contains(name.prefix(1)) ? "an \(name)" : "a \(name)"
}
