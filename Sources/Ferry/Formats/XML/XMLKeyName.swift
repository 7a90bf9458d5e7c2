/// An encoding of any key as a valid XML name.
///
/// A character that is not allowed in names is written as its hexadecimal number, a convention from .NET:
///
///     first name      first_x0020_name
///     @babel/core     _x0040_babel_x002F_core      if the key is not that of an attribute
///     1st             _x0031_st
///     a_x0020_b       a_x005F_x0020_b      because it looks like an escape
///     😀              _x0001F600_
///     (empty key)     _x_
enum XMLKeyName {
  /// Returns the name for a key.
  ///
  /// - Parameter keepsColon: True to keep a colon that separates a prefix.
  static func name(for key: Span<UInt8>, keepsColon: Bool) -> [UInt8] {
    guard !key.isEmpty else { return Array("_x_".utf8) }
    // A name with an escape that no key is written as, such as _x0041_, is read as it is.
    let hasColon = key.firstIndex(of: UInt8(ascii: ":"), from: 0) != nil
    if key.isXMLName, keepsColon || !hasColon, key.end(ofFirst: "_x", from: 0) != nil, decodes(key, to: key) {
      return [UInt8](copying: key)
    }
    return escapedName(for: key, keepsColon: keepsColon)
  }

  /// Returns true if a name is read as a key.
  private static func decodes(_ name: Span<UInt8>, to key: Span<UInt8>) -> Bool {
    let decoded = decodedKey(of: name)
    return decoded.span.equals(key)
  }

  private static func escapedName(for key: Span<UInt8>, keepsColon: Bool) -> [UInt8] {
    guard !key.isEmpty else { return Array("_x_".utf8) }
    var name: [UInt8] = []
    let colon = keepsColon ? dividingColon(of: key) : nil
    var isStart = true
    var index = 0
    while index < key.count {
      let (scalar, length) = key.scalar(at: index)
      if index == colon {
        name.append(UInt8(ascii: ":"))
        isStart = true
      } else {
        let isAllowed = isStart ? isXMLNameStart(scalar) : isXMLNameCharacter(scalar)
        if isAllowed, !looksEscaped(key, at: index) {
          name.append(copying: key.extracting(index..<index + length))
        } else {
          appendEscape(of: scalar, to: &name)
        }
        isStart = false
      }
      index += length
    }
    return name
  }

  /// Returns the key for a name. A name that does not encode a key is returned unchanged.
  ///
  /// - Parameter keepsNames: True for keys that are written as XML names again. An encoded key that is itself a name, or a name with
  ///   its namespace in braces, or that does not mean an element, is then returned as its name. So each name has a key of its own, and
  ///   a key that is a name is written as it is.
  static func key(for name: Span<UInt8>, keepsNames: Bool = false) -> [UInt8] {
    let key = decodedKey(of: name)
    guard keepsNames else { return key }
    let isAmbiguous =
      key.span.isXMLName || key.first == UInt8(ascii: "@") || XMLReservedKey(key.span) != nil
      || ExpandedName(key.span) != nil
    return isAmbiguous ? [UInt8](copying: name) : key
  }

  /// The number of times that a name may be escaped for `encodedPrefix` to find a prefix in it, so that a long name costs little.
  private static let mostEncodings = 16

  /// Returns the prefix that the key of a name without a prefix has, also if the name is escaped several times: `a` for `a_x003A_b` and
  /// `a_x005F_x003A_b`. Returns nil for most names.
  static func encodedPrefix(of name: Span<UInt8>) -> String? {
    guard name.end(ofFirst: "x003A_", from: 0) != nil, name.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil
    else { return nil }
    var name = [UInt8](copying: name)
    for _ in 0..<mostEncodings {
      let key = decodedKey(of: name.span)
      guard !key.span.equals(name.span) else { return nil }
      if let colon = dividingColon(of: key.span) { return String(decoding: key[..<colon], as: UTF8.self) }
      name = key
    }
    return nil
  }

  /// Returns true if a name is its own key, because the key that it encodes has a declared prefix, and would be written with the prefix.
  static func keepsName(_ name: Span<UInt8>, isDeclared: (String) -> Bool) -> Bool {
    guard let prefix = encodedPrefix(of: name) else { return false }
    return isDeclared(prefix)
  }

  /// Returns the name of a root element without a namespace.
  ///
  /// - Throws: An error for a name with a prefix, or with its namespace in braces.
  static func rootName(_ root: [UInt8]) throws(FerryError) -> [UInt8] {
    guard !hasPrefix(root.span), ExpandedName(key: root.span) == nil else {
      throw FerryError(.xml(.undeclaredRoot(String(decoding: root, as: UTF8.self))))
    }
    return name(for: root.span, keepsColon: false)
  }

  /// Returns the name of an element for a key.
  static func elementName(for key: String) -> String {
    String(decoding: name(for: key.utf8.span, keepsColon: false), as: UTF8.self)
  }

  /// Returns true if a name is that of a key.
  static func isName(_ name: Span<UInt8>, of key: Span<UInt8>) -> Bool {
    guard name.end(ofFirst: "_x", from: 0) != nil else { return name.equals(key) }
    return self.key(for: name).span.equals(key)
  }

  private static func decodedKey(of name: Span<UInt8>) -> [UInt8] {
    let literal = [UInt8](copying: name)
    guard name.end(ofFirst: "_x", from: 0) != nil else { return literal }
    var key: [UInt8] = []
    var index = 0
    while index < name.count {
      if let (scalar, length) = escape(in: name, at: index) {
        if let scalar { key.append(scalar: scalar) }
        index += length
      } else {
        key.append(name[index])
        index += 1
      }
    }
    let keepsColon = name.firstIndex(of: UInt8(ascii: ":"), from: 0) != nil
    return escapedName(for: key.span, keepsColon: keepsColon) == literal ? key : literal
  }

  /// Returns true if a key has a prefix, which its name keeps if it is declared.
  static func hasPrefix(_ key: Span<UInt8>) -> Bool { dividingColon(of: key) != nil }

  private static func dividingColon(of key: Span<UInt8>) -> Int? {
    guard let colon = key.firstIndex(of: UInt8(ascii: ":"), from: 0), colon > 0, colon + 1 < key.count,
      key.firstIndex(of: UInt8(ascii: ":"), from: colon + 1) == nil
    else { return nil }
    return colon
  }

  /// Returns true if an underscore in a key would be read as the beginning of an escape. The underscore at
  /// the end of such an escape may belong to the escape of the next character: `_x0041 ` has `_x0020_` there.
  private static func looksEscaped(_ key: Span<UInt8>, at index: Int) -> Bool {
    guard key[index] == UInt8(ascii: "_") else { return false }
    if escape(in: key, at: index) != nil { return true }
    return [4, 8].contains { digits in
      let end = index + 2 + digits
      guard end < key.count, !isXMLNameCharacter(key.scalar(at: end).scalar) else { return false }
      return number(in: key, at: index, digits: digits) != nil
    }
  }

  /// Parses an escape `_xHHHH_` or `_xHHHHHHHH_` at an index. Returns its character, or nil for `_x_`, and
  /// its length. Returns nil if there is no escape.
  private static func escape(in name: Span<UInt8>, at index: Int) -> (scalar: UInt32?, length: Int)? {
    guard name.extracting(index..<name.count).starts(with: "_x") else { return nil }
    if name.count == 3, name[2] == UInt8(ascii: "_") { return (nil, 3) }
    for digits in [4, 8] {
      let end = index + 2 + digits
      guard end < name.count, name[end] == UInt8(ascii: "_") else { continue }
      if let scalar = number(in: name, at: index, digits: digits) { return (scalar, digits + 3) }
    }
    return nil
  }

  /// Parses `_x` and the digits of a Unicode scalar at an index. Returns nil if something else is there.
  private static func number(in name: Span<UInt8>, at index: Int, digits: Int) -> UInt32? {
    guard index + 2 + digits <= name.count, name.extracting(index..<name.count).starts(with: "_x") else {
      return nil
    }
    var scalar: UInt32 = 0
    for byte in index + 2..<index + 2 + digits {
      guard let digit = name[byte].hexDigit else { return nil }
      scalar = scalar << 4 | UInt32(digit)
    }
    return UnicodeScalar(scalar) == nil ? nil : scalar
  }

  private static func appendEscape(of scalar: UInt32, to name: inout [UInt8]) {
    let digits = String(scalar, radix: 16, uppercase: true)
    let width = scalar > 0xffff ? 8 : 4
    name.append(contentsOf: "_x\(String(repeating: "0", count: max(width - digits.count, 0)))\(digits)_".utf8)
  }
}
