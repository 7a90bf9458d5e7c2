/// A counter of the attributes in start tags, by their quotes, for use before a parser sees the tags.
///
///     <a b="1" c='>'     two attributes so far, and the tag has not ended
struct StartTagScan {
  /// The greatest number of attributes in a tag.
  private(set) var attributes = 0
  private var current = 0
  private var isInTag = false
  /// The quote that ends the current attribute's value.
  private var quote: UInt8?

  /// Scans more bytes.
  mutating func scan(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        guard byte == open else { continue }
        quote = nil
        current += 1
        attributes = max(attributes, current)
        continue
      }
      switch byte {
      case UInt8(ascii: "<"): (isInTag, current) = (true, 0)
      case UInt8(ascii: ">"): isInTag = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"): if isInTag { quote = byte }
      default: break
      }
    }
  }
}
