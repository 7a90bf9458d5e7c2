extension Array<UInt8> {
  /// Calls a function for each character, and another one for each byte that is not UTF-8.
  package func forEachScalar(_ body: (Unicode.Scalar) -> Void, notUTF8: (UInt8) -> Void) {
    var (offset, parser, iterator) = (0, UTF8.ForwardParser(), makeIterator())
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        String(decoding: scalar, as: UTF8.self).unicodeScalars.forEach(body)
        offset += scalar.count
      case .error(let length):
        self[offset..<offset + length].forEach(notUTF8)
        offset += length
      case .emptyInput: return
      }
    }
  }
}
