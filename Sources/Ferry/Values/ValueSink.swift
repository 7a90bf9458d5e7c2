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

extension ValueSink {
  /// Sends a string to the sink.
  ///
  ///     try sink.beginDictionary(count: 2)
  ///     try sink.key("name")
  ///     try sink.string("Ada")
  ///     try sink.key("photo")
  ///     try sink.data([0xff, 0xd8])
  ///     try sink.endDictionary()
  ///
  /// - Throws: An error of the sink.
  public func string(_ text: String) throws(FerryError) { try string(BorrowedText(text.utf8.span)) }

  /// Sends the key of the next value to the sink.
  ///
  /// - Throws: An error of the sink.
  public func key(_ text: String) throws(FerryError) { try key(BorrowedText(text.utf8.span)) }

  /// Sends data to the sink.
  ///
  /// - Throws: An error of the sink.
  public func data(_ bytes: [UInt8]) throws(FerryError) { try data(bytes.span) }
}
