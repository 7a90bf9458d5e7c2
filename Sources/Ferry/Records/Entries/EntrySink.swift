/// A routing sink that knows the kind of each value, and how deep it is. It is the base class of the adapters of entries.
class EntrySink: RoutingSink {
  /// The number of open collections.
  private(set) var depth = 0

  /// The kind of the value that is routed.
  private var words = ""

  /// Returns the receiver of a value that is in `depth` collections. Nil leaves the event out.
  ///
  /// - Parameter words: The kind of the value for messages, with an article.
  func receiver(of shape: Shape, _ words: String) throws(FerryError) -> (any ValueSink)? { next }

  final override func receiver(of shape: Shape) throws(FerryError) -> (any ValueSink)? {
    let receiver = try receiver(of: shape, words)
    if shape != .scalar { depth += 1 }
    return receiver
  }

  override func didEnd() throws(FerryError) { depth -= 1 }

  override func null() throws(FerryError) {
    words = "null"
    try super.null()
  }
  override func boolean(_ value: Bool) throws(FerryError) {
    words = "a boolean"
    try super.boolean(value)
  }
  override func integer(_ value: Int128) throws(FerryError) {
    words = "a number"
    try super.integer(value)
  }
  override func real(_ value: Double) throws(FerryError) {
    words = "a number"
    try super.real(value)
  }
  override func single(_ value: Float) throws(FerryError) {
    words = "a number"
    try super.single(value)
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    words = "a number"
    try super.number(text)
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    words = "a string"
    try super.string(text)
  }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    words = "data"
    try super.data(bytes)
  }
  override func date(_ secondsSince2001: Double) throws(FerryError) {
    words = "a date"
    try super.date(secondsSince2001)
  }
  override func uid(_ number: UInt64) throws(FerryError) {
    words = "a reference"
    try super.uid(number)
  }
  override func beginArray(count: Int?) throws(FerryError) {
    words = "a list"
    try super.beginArray(count: count)
  }
  override func beginSet(count: Int?) throws(FerryError) {
    words = "a set"
    try super.beginSet(count: count)
  }
  override func beginDictionary(count: Int?) throws(FerryError) {
    words = "a dictionary"
    try super.beginDictionary(count: count)
  }
}
