/// Receives a value piece by piece: the language every reader speaks and every writer understands.
///
/// A value is one scalar event, or a begin, the values inside, and an end. In a dictionary each value is preceded by its
/// key. `[{"first": "Ada", "age": 36}]` is
///
///     beginArray(1)  beginDictionary(2)  key("first")  string("Ada")  key("age")  integer(36)  endDictionary  endArray
///
/// Events carry borrowed bytes: what a sink wants to keep it copies. Sinks are objects because they are connected at run
/// time, reader to adapter to writer, and each keeps a state of its own; nothing is allocated for an event.
///
/// A sink throws `Failure` when it cannot take a value; the reader adds its place in the input.
public protocol ValueSink: AnyObject {
  /// Nothing, as a value.
  func null() throws(Failure)
  /// True or false.
  func boolean(_ value: Bool) throws(Failure)
  /// An integer from −2⁶³ to 2⁶⁴−1.
  func integer(_ value: Int128) throws(Failure)
  /// A real number of 64 bits, NaN and infinities among them.
  func real(_ value: Double) throws(Failure)
  /// A real number that the file holds in 32 bits.
  func single(_ value: Float) throws(Failure)
  /// A decimal in its own notation, when it is neither an integer nor a real exactly: `2.20`, `1e400`, forty digits.
  func number(_ text: Text) throws(Failure)
  /// A string.
  func string(_ text: Text) throws(Failure)
  /// Bytes.
  func data(_ bytes: Span<UInt8>) throws(Failure)
  /// A moment, in seconds since the beginning of 2001 in UTC.
  func date(_ secondsSince2001: Double) throws(Failure)
  /// The number of an object in an archive, in raw form.
  func uid(_ number: UInt64) throws(Failure)

  /// An array, with the number of its elements where that is known.
  func beginArray(count: Int?) throws(Failure)
  /// The end of the array begun last.
  func endArray() throws(Failure)
  /// A set, with the number of its elements where that is known.
  func beginSet(count: Int?) throws(Failure)
  /// The end of the set begun last.
  func endSet() throws(Failure)
  /// A dictionary, with the number of its entries where that is known.
  func beginDictionary(count: Int?) throws(Failure)
  /// The key of the value that comes next.
  func key(_ text: Text) throws(Failure)
  /// A key that is not a string (archives have them): one value follows, then `endKey`.
  func beginKey() throws(Failure)
  /// The end of such a key; the entry's value comes next.
  func endKey() throws(Failure)
  /// The end of the dictionary begun last.
  func endDictionary() throws(Failure)

  /// An object of a class, with an identity if others refer to it: one value follows (a dictionary of its keys for most
  /// classes; an array, a string … for those that are one), then `endObject`.
  func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure)
  /// The end of the object begun last.
  func endObject() throws(Failure)
  /// An object that has begun already, perhaps one we are inside, or that is still to come.
  func reference(_ identity: Int) throws(Failure)

  /// The end of all. A writer writes what it still holds.
  func finish() throws(Failure)
}

/// The class of an archived object: its name and those it inherits from, as the archive lists them.
///
/// One instance serves all objects of a class.
public final class ObjectClass: Sendable, Hashable {
  /// The class's own name, which may carry a module: `MyApp.Person`.
  public let name: String
  /// The chain as archived, the class itself first: `["Person", "NSObject"]`. Empty when the archive gives no chain.
  public let chain: [String]
  /// Classes that a reader may fall back to (`$classhints`).
  public let hints: [String]

  /// A class by its names.
  public init(name: String, chain: [String], hints: [String] = []) {
    self.name = name
    self.chain = chain
    self.hints = hints
  }

  /// A class and its superclasses up to NSObject: `ObjectClass("NSMutableArray", "NSArray")`.
  public convenience init(_ name: String, _ superclasses: String...) {
    self.init(name: name, chain: [name] + superclasses + ["NSObject"])
  }

  /// The class of what has none, and is an object only to have an identity.
  public static let none = ObjectClass(name: "", chain: [])

  /// True if an archive would describe both alike: their names have the same bytes.
  public static func == (a: ObjectClass, b: ObjectClass) -> Bool {
    a === b || (a.name.equals(b.name) && a.chain.equals(b.chain) && a.hints.equals(b.hints))
  }

  /// Hashes the name, which nearly always decides.
  public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

/// A sink for the values that JSON, XML and most others know; what only archives and property lists have is refused by
/// name unless a sink says otherwise. `PlainForm` stands before such a sink and turns the rest into what it can hold.
public protocol PlainSink: ValueSink {
  /// The format's name in errors.
  var formatName: String { get }
}

extension PlainSink {
  /// Refused.
  public func data(_ bytes: Span<UInt8>) throws(Failure) { throw cannotHold("data") }
  /// Refused.
  public func date(_ secondsSince2001: Double) throws(Failure) { throw cannotHold("a date") }
  /// Refused.
  public func uid(_ number: UInt64) throws(Failure) { throw cannotHold("a reference of an archive") }
  /// Refused.
  public func beginSet(count: Int?) throws(Failure) { throw cannotHold("a set") }
  /// Refused.
  public func endSet() throws(Failure) { throw cannotHold("a set") }
  /// Refused.
  public func beginKey() throws(Failure) { throw cannotHold("a key that is not a string") }
  /// Refused.
  public func endKey() throws(Failure) { throw cannotHold("a key that is not a string") }
  /// Refused.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object")
  }
  /// Refused.
  public func endObject() throws(Failure) { throw cannotHold("an object") }
  /// Refused.
  public func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }

  func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: formatName)))
  }
}
