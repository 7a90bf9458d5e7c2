/// A receiver of a value in the form of events: the interface between every reader and every writer.
///
/// A value is one scalar event, or a begin, the values inside, and an end. In a dictionary a key precedes
/// each value. `[{"first": "Ada", "age": 36}]` is
///
///     beginArray(1)
///       beginDictionary(2)  key("first")  string("Ada")  key("age")  integer(36)  endDictionary
///     endArray
///
/// Events carry borrowed bytes; a sink copies those that it keeps. Sinks are objects because they are
/// connected at run time, reader to adapter to writer, and each has its own state. No event needs an
/// allocation.
///
/// A sink throws a `FerryError` if it cannot accept a value; the reader adds the source location.
public protocol ValueSink: AnyObject {
  /// Receives a null.
  func null() throws(FerryError)
  /// Receives a boolean.
  func boolean(_ value: Bool) throws(FerryError)
  /// Receives an integer from −2⁶³ to 2⁶⁴−1.
  func integer(_ value: Int128) throws(FerryError)
  /// Receives a real number of 64 bits, possibly NaN or infinite.
  func real(_ value: Double) throws(FerryError)
  /// Receives a real number that the file stores in 32 bits.
  func single(_ value: Float) throws(FerryError)
  /// Receives a decimal in its own notation, if it is exactly neither an integer nor a real: `2.20`, `1e400`,
  /// forty digits.
  func number(_ text: BorrowedText) throws(FerryError)
  /// Receives a string.
  func string(_ text: BorrowedText) throws(FerryError)
  /// Receives data.
  func data(_ bytes: Span<UInt8>) throws(FerryError)
  /// Receives a date, in seconds since the beginning of 2001 in UTC.
  func date(_ secondsSince2001: Double) throws(FerryError)
  /// Receives an archive's reference in raw form: an object number.
  func uid(_ number: UInt64) throws(FerryError)

  /// Begins an array, with the number of its elements if it is known.
  func beginArray(count: Int?) throws(FerryError)
  /// Ends the innermost collection, an array.
  func endArray() throws(FerryError)
  /// Begins a set, with the number of its elements if it is known.
  func beginSet(count: Int?) throws(FerryError)
  /// Ends the innermost collection, a set.
  func endSet() throws(FerryError)
  /// Begins a dictionary, with the number of its entries if it is known.
  func beginDictionary(count: Int?) throws(FerryError)
  /// Receives the key of the next value.
  func key(_ text: BorrowedText) throws(FerryError)
  /// Begins a key that is not a string, which archives may have. One value follows, then `endKey`.
  func beginKey() throws(FerryError)
  /// Ends such a key. The entry's value comes next.
  func endKey() throws(FerryError)
  /// Ends the innermost collection, a dictionary.
  func endDictionary() throws(FerryError)

  /// Begins an object of a class, with an identity if other references to it exist. One value follows (for
  /// most classes a dictionary of its keys; for collections, strings and the like an array, a string …), then
  /// `endObject`.
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError)
  /// Ends the innermost object.
  func endObject() throws(FerryError)
  /// Receives a reference to an object that has begun before, possibly an enclosing one, or that comes later.
  func reference(_ identity: Int) throws(FerryError)

  /// Ends the stream. A writer writes its buffered data.
  func finish() throws(FerryError)
}

/// The class of an archived object: its name and its superclasses, as stored in the archive.
///
/// One instance serves all objects of a class.
public final class ObjectClass: Sendable, Hashable {
  /// The name of the class, possibly with a module: `MyApp.Person`.
  public let name: String
  /// The archived chain, beginning with the class itself: `["Person", "NSObject"]`. Empty if the archive has
  /// none.
  public let chain: [String]
  /// The fallback classes from which a reader may choose (`$classhints`).
  public let hints: [String]

  /// Creates a class.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - chain: The archived chain, beginning with the class itself.
  ///   - hints: The fallback classes.
  public init(name: String, chain: [String], hints: [String] = []) {
    self.name = name
    self.chain = chain
    self.hints = hints
  }

  /// Creates a class with its superclasses up to NSObject: `ObjectClass("NSMutableArray", "NSArray")`.
  public convenience init(_ name: String, _ superclasses: String...) {
    self.init(name: name, chain: [name] + superclasses + ["NSObject"])
  }

  /// The class of a value that has no class, but is sent as an object to give it an identity.
  public static let none = ObjectClass(name: "", chain: [])

  /// Returns true if an archive would describe both classes alike: their names have the same bytes.
  public static func == (a: ObjectClass, b: ObjectClass) -> Bool {
    a === b || (a.name.equals(b.name) && a.chain.equals(b.chain) && a.hints.equals(b.hints))
  }

  /// Hashes the name, which is nearly always distinctive.
  public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

/// A sink for the values that JSON, XML and most other formats have. The default implementations of all other
/// events throw an error that names the kind of value. `PlainForm`, in front of such a sink, converts them.
public protocol PlainSink: ValueSink {
  /// The name of the format in error messages.
  var formatName: String { get }
}

extension PlainSink {
  /// Throws: the format has no data.
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { throw cannotHold("data") }
  /// Throws: the format has no dates.
  public func date(_ secondsSince2001: Double) throws(FerryError) { throw cannotHold("a date") }
  /// Throws: the format has no archive's references.
  public func uid(_ number: UInt64) throws(FerryError) { throw cannotHold("a reference of an archive") }
  /// Throws: the format has no sets.
  public func beginSet(count: Int?) throws(FerryError) { throw cannotHold("a set") }
  /// Throws: the format has no sets.
  public func endSet() throws(FerryError) { throw cannotHold("a set") }
  /// Throws: the keys of the format are strings.
  public func beginKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws: the keys of the format are strings.
  public func endKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws: the format has no objects of classes.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object")
  }
  /// Throws: the format has no objects of classes.
  public func endObject() throws(FerryError) { throw cannotHold("an object") }
  /// Throws: the format has no references to objects.
  public func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: formatName)))
  }
}
