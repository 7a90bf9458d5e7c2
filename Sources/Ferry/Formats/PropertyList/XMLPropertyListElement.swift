/// The elements of XML property lists. The raw value is the name, packed into a word with the first letter in
/// the lowest byte:
///
///     dict    0x74636964    t c i d
///
/// No name has more than seven letters, so a reader recognizes a tag by comparing words.
enum XMLPropertyListElement: UInt64 {
  case plist = 0x74_7369_6c70
  case array = 0x79_6172_7261
  case dict = 0x7463_6964
  case key = 0x79_656b
  case string = 0x676e_6972_7473
  case integer = 0x72_6567_6574_6e69
  case real = 0x6c61_6572
  case yes = 0x6575_7274
  case no = 0x65_736c_6166
  case date = 0x6574_6164
  case data = 0x6174_6164

  /// Creates the element with a name. Fails if there is none.
  init?(_ name: Span<UInt8>) {
    guard name.count < 8 else { return nil }
    var word: UInt64 = 0
    for index in name.indices { word |= UInt64(name[index]) << UInt64(8 * index) }
    self.init(packed: word, bits: 8 * UInt64(name.count))
  }

  /// Creates the element whose name is packed into the lowest bits of a word. Fails if there is none, also if a
  /// NUL follows the name.
  init?(packed name: UInt64, bits: UInt64) {
    self.init(rawValue: name)
    guard bits == 8 * UInt64(nameLength) else { return nil }
  }

  /// The number of letters in the name.
  var nameLength: Int { 8 - rawValue.leadingZeroBitCount / 8 }

  /// The name in tags.
  var name: String {
    String(
      decoding: (0..<nameLength).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(8 * $0)) }, as: UTF8.self)
  }

  /// The tag for messages: `<dict>`.
  var tag: String { "<\(name)>" }
}
