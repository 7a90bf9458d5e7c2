extension PathProblem {
  /// A reason why a value cannot be put at a location.
  public enum Obstacle: Hashable, Sendable {
    /// A dictionary would become a reference when the XML property list is read. The raw form has references.
    case becomesReference
    /// An object keeps its class, because its keys stay. `ArchiveRenaming` gives classes new names.
    case keepsClass
    /// Programs could not read an object of the archive.
    case flaw(ObjectFlaw)
    /// The element beside the new one is of another type, which is given in words.
    case neighbor(String)
    /// The value at the location is of another kind, which is given in words.
    case current(String)
    /// An object keeps its class, which does not have the value. A text with a `TextType`, or `Value.object` with another class, replaces the
    /// object.
    ///
    /// - Parameter expected: The value that the class has, in words; nil if it is not known.
    case objectOfClass(String, expected: String?)
    /// The XML element at the location has attributes.
    ///
    /// - Parameter hasText: True if its text has the key `#text`; false if it has no text yet.
    case attributes(hasText: Bool)
    /// The value would be another one when the XML is read.
    ///
    /// - Parameter isUnicode: True if the text can be edited, because its encoding is Unicode or contains ASCII.
    case readsBackOtherwise(isUnicode: Bool)
    /// The value has a key that represents contents in their order, or markup, of XML that is read, such as `#content`.
    case markup(key: String)
    /// The encoding of an XML document lacks a character of a name.
    case lacksCharacter(UInt32, encoding: String)
    /// The file could not be read with the value, because of a problem.
    indirect case unreadable(FerryError.Reason)
    /// Something else, in words.
    case other(String)
  }
}

extension PathProblem.Obstacle: ExpressibleByStringInterpolation {
  /// Creates a reason in words.
  public init(stringLiteral words: String) { self = .other(words) }
}

extension PathProblem.Obstacle: CustomStringConvertible {
  /// The reason in one sentence, without a period.
  public var description: String {
    switch self {
    case .becomesReference: "in an XML property list it would become a reference"
    case .keepsClass: "an object keeps its class"
    case .flaw(let flaw): flaw.description
    case .neighbor(let neighbor): "the neighboring element is \(neighbor)"
    case .current(let value): "the current value is \(value)"
    case .objectOfClass(let name, let expected):
      "an object of the class \(MessageText.name(name)) keeps its class"
        + (expected.map { ", and is \($0)" } ?? "")
        + " (a text with a type, or an object with another class, replaces it)"
    case .attributes(hasText: true): ##"the element has attributes, so its text has the key "#text""##
    case .attributes(hasText: false): "the element has attributes but no text yet"
    case .readsBackOtherwise: "read from XML, it would be another value"
    case .markup(let key):
      "the key \(MessageText.quoted(key)) is only in XML that is read in order (give elements by their names, and text by "
        + ##"the key "#text")"##
    case .lacksCharacter(let scalar, let encoding):
      "the encoding \(MessageText.name(encoding)) has no \(ContentProblem.words(for: scalar)), and a name cannot have a reference to it"
    case .unreadable(let reason): reason.description
    case .other(let words): words
    }
  }
}
