/// A receiver of a value as a sequence of events. It is the interface between all readers and writers.
///
/// A value is a single scalar event, or a begin event, the events of the values inside, and an end event. In
/// a dictionary, each value follows its key. For `[{"first": "Ada", "age": 36}]`, a reader calls:
///
///     beginArray(1)
///       beginDictionary(2)  key("first")  string("Ada")  key("age")  integer(36)  endDictionary
///     endArray
///
/// The bytes in events are borrowed, so a sink copies what it keeps. Sinks are class instances, because they
/// are connected at run time (from a reader through adapters to a writer), and because each has state. No
/// event needs an allocation.
///
/// A sink throws a `FerryError` if it cannot accept a value. The reader adds the source location.
public protocol ValueSink: AnyObject {
  /// Receives a null.
  func null() throws(FerryError)
  /// Receives a boolean.
  func boolean(_ value: Bool) throws(FerryError)
  /// Receives an integer from −2⁶³ to 2⁶⁴−1.
  func integer(_ value: Int128) throws(FerryError)
  /// Receives a 64-bit real, which may be NaN or infinite.
  func real(_ value: Double) throws(FerryError)
  /// Receives a 32-bit real.
  func single(_ value: Float) throws(FerryError)
  /// Receives a decimal in JSON's notation, used if no integer or real has the same notation: `2.20`,
  /// `1e400`, a number of forty digits.
  func number(_ text: BorrowedText) throws(FerryError)
  /// Receives a string.
  func string(_ text: BorrowedText) throws(FerryError)
  /// Receives data.
  func data(_ bytes: Span<UInt8>) throws(FerryError)
  /// Receives a date, in seconds since the beginning of 2001 in UTC.
  func date(_ secondsSince2001: Double) throws(FerryError)
  /// Receives a reference in the raw form of an archive, by object number.
  func uid(_ number: UInt64) throws(FerryError)

  /// Begins an array, with the number of its elements if it is known.
  func beginArray(count: Int?) throws(FerryError)
  /// Ends the innermost collection, which is an array.
  func endArray() throws(FerryError)
  /// Begins a set, with the number of its elements if it is known.
  func beginSet(count: Int?) throws(FerryError)
  /// Ends the innermost collection, which is a set.
  func endSet() throws(FerryError)
  /// Begins a dictionary, with the number of its entries if it is known.
  func beginDictionary(count: Int?) throws(FerryError)
  /// Receives the key of the next value.
  func key(_ text: BorrowedText) throws(FerryError)
  /// Begins a key that is not a string, which occurs in archives. One value follows, then `endKey`.
  func beginKey() throws(FerryError)
  /// Ends a key that is not a string. The entry's value follows.
  func endKey() throws(FerryError)
  /// Ends the innermost collection, which is a dictionary.
  func endDictionary() throws(FerryError)

  /// Begins an object of a class, with an identity if there are references to it. One value follows, then
  /// `endObject`. The value is a dictionary of archived keys for most classes, and an array, a string or
  /// another value for collections, strings and similar classes.
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError)
  /// Ends the innermost object.
  func endObject() throws(FerryError)
  /// Receives a reference to an object that was begun earlier, is still open, or follows later.
  func reference(_ identity: Int) throws(FerryError)

  /// Ends the stream. A writer writes its buffered output.
  func finish() throws(FerryError)
}

/// The class of an archived object: its name and its superclasses, as stored in the archive.
///
/// All objects of a class share one instance.
public final class ObjectClass: Sendable, Hashable {
  /// The name of the class, which may include a module: `MyApp.Person`.
  public let name: String
  /// The class and its superclasses, nearest first, as archived: `["Person", "NSObject"]`. Empty if the
  /// archive does not contain them.
  public let chain: [String]
  /// The fallback classes that a reader may use if it does not have the class (`$classhints`).
  public let hints: [String]

  /// Creates a class.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - chain: The class and its superclasses, nearest first.
  ///   - hints: The fallback classes.
  public init(name: String, chain: [String], hints: [String] = []) {
    self.name = name
    self.chain = chain
    self.hints = hints
  }

  /// Creates a class with its superclasses; NSObject is added: `ObjectClass("NSMutableArray", "NSArray")`.
  public convenience init(_ name: String, _ superclasses: String...) {
    self.init(name: name, chain: [name] + superclasses + ["NSObject"])
  }

  /// The class of a value without a class that is sent as an object because it needs an identity.
  public static let none = ObjectClass(name: "", chain: [])

  /// Returns true if both classes would be archived identically. Names are compared by their bytes.
  public static func == (a: ObjectClass, b: ObjectClass) -> Bool {
    a === b || (a.name.equals(b.name) && a.chain.equals(b.chain) && a.hints.equals(b.hints))
  }

  /// Hashes the name, which nearly always differs between classes.
  public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

/// A sink for the kinds of values that JSON, XML and most other formats can represent. By default, all other
/// events throw an error that names the kind of value. A `PlainForm` in front of the sink converts them.
public protocol PlainSink: ValueSink {
  /// The name of the format in messages.
  var formatName: String { get }
}

extension PlainSink {
  /// Throws an error, because the format cannot represent data.
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { throw cannotHold("data") }
  /// Throws an error, because the format cannot represent dates.
  public func date(_ secondsSince2001: Double) throws(FerryError) { throw cannotHold("a date") }
  /// Throws an error, because the format cannot represent references of archives.
  public func uid(_ number: UInt64) throws(FerryError) { throw cannotHold("a reference of an archive") }
  /// Throws an error, because the format cannot represent sets.
  public func beginSet(count: Int?) throws(FerryError) { throw cannotHold("a set") }
  /// Throws an error, because the format cannot represent sets.
  public func endSet() throws(FerryError) { throw cannotHold("a set") }
  /// Throws an error, because all keys of the format are strings.
  public func beginKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws an error, because all keys of the format are strings.
  public func endKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws an error, because the format cannot represent objects of classes.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object")
  }
  /// Throws an error, because the format cannot represent objects of classes.
  public func endObject() throws(FerryError) { throw cannotHold("an object") }
  /// Throws an error, because the format cannot represent references to objects.
  public func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: formatName)))
  }
}
