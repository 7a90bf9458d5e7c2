/// A counter of the attributes in start tags. It counts quotes, before the parser sees the tags.
///
///     <a b="1" c='>'     two attributes, and the tag is incomplete
struct StartTagScan {
  /// The maximum number of attributes in a tag so far.
  private(set) var attributes = 0
  private var current = 0
  private var isInTag = false
  private var quotation = XMLQuotation()

  /// Scans more bytes.
  mutating func scan(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      if isInTag, quotation.take(byte) {
        guard !quotation.isOpen else { continue }
        current += 1
        attributes = max(attributes, current)
        continue
      }
      switch byte {
      case UInt8(ascii: "<"): (isInTag, current) = (true, 0)
      case UInt8(ascii: ">"): isInTag = false
      default: break
      }
    }
  }
}
