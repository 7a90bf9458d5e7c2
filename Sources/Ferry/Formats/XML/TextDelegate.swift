/// A delegate that collects the text of an element, excluding the text of child elements.
public final class TextDelegate: ElementDelegate {
  private var bytes: [UInt8] = []

  /// Creates a delegate. It can be used for any number of elements, one after the other.
  public override init() { super.init() }

  /// The text of the most recently ended element.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls a function with the text of the most recently ended element.
  public func withText<Result, E: Error>(_ body: (BorrowedText) throws(E) -> Result) throws(E) -> Result {
    let bytes = bytes
    return try body(BorrowedText(bytes.span))
  }

  public override func didStart(_ element: borrowing XMLStartTag) { bytes.removeAll(keepingCapacity: true) }

  override func receive(onlyText text: BorrowedText) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(copying: text.utf8)
    return true
  }

  public override func text(_ text: BorrowedText) { bytes.append(copying: text.utf8) }
}
