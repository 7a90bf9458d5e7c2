/// The keys for the attributes of a document, by the numbers of the attributes' names.
struct AttributeKeys {
  /// The place of a key in the bytes of all keys.
  struct Key {
    fileprivate let range: Range<Int>
    fileprivate let isASCII: Bool
    /// True if the key has no control characters, quotation marks or backslashes.
    let isPlain: Bool
  }

  private var keys: [Key?] = []
  private var bytes: [UInt8] = []

  /// Returns the key for a name, or nil if it was not added.
  func key(for name: Int) -> Key? { name < keys.count ? keys[name] : nil }

  /// Adds the key for a name.
  mutating func add(_ key: [UInt8], for name: Int) -> Key {
    while keys.count <= name { keys.append(nil) }
    let added = Key(
      range: bytes.count..<bytes.count + key.count, isASCII: key.span.isASCII, isPlain: key.span.isPlainJSON)
    bytes += key
    keys[name] = added
    return added
  }

  /// Returns the text of a key.
  @_lifetime(borrow self)
  func text(of key: Key) -> BorrowedText {
    BorrowedText(checked: bytes.span.extracting(key.range), isASCII: key.isASCII)
  }
}
