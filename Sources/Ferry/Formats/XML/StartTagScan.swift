/// Counts the attributes of start tags before a parser sees them, by their quotes.
///
///     <a b="1" c='>'     two attributes so far, and the tag has not ended
struct StartTagScan {
  /// The most attributes that one tag has.
  private(set) var attributes = 0
  private var current = 0
  private var isInTag = false
  /// The quote that an attribute's value will end with.
  private var quote: UInt8?

  /// Looks at more bytes.
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
