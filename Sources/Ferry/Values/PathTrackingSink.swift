/// A forwarding sink that knows the path of the next value.
class PathTrackingSink: RoutingSink {
  private var tracker = PathTracker()
  /// The number of open keys that are not strings. The values for them get the path of their dictionary.
  private var openKeys = 0

  /// The path of the next value.
  var path: ValuePath { tracker.path }
  /// True inside a key that is not a string.
  var isInKey: Bool { openKeys > 0 }

  /// Gives the next value the path of the last one.
  func returnToLastValue() {
    if openKeys == 0 { tracker.returnToLastValue() }
  }

  override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    guard openKeys == 0 else { return next }
    switch kind.shape {
    case .scalar: tracker.finishValue()
    case .list: tracker.beginList()
    case .dictionary: tracker.beginDictionary()
    case .object: break
    }
    return next
  }

  override func endArray() throws(FerryError) {
    try super.endArray()
    end()
  }
  override func endSet() throws(FerryError) {
    try super.endSet()
    end()
  }
  override func endDictionary() throws(FerryError) {
    try super.endDictionary()
    end()
  }

  private func end() {
    if openKeys == 0 { tracker.end() }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if openKeys == 0 { tracker.key(text.utf8) }
    try super.key(text)
  }
  override func beginKey() throws(FerryError) {
    openKeys += 1
    try super.beginKey()
  }
  override func endKey() throws(FerryError) {
    openKeys -= 1
    if openKeys == 0 { tracker.removeKey() }
    try super.endKey()
  }
}
