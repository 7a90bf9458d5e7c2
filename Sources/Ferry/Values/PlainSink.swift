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
