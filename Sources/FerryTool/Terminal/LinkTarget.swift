import Ferry

/// The target of a symbolic link. It is bytes, which need not be UTF-8: targets that differ only by Unicode normalization are different.
struct LinkTarget: Hashable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The target as text, with U+FFFD for bytes that are not UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the target in quotation marks. A byte that is not UTF-8 is `\xe9`.
  ///
  /// - Parameter escaped: True to write characters that are not ASCII as escapes, to tell targets apart that look alike.
  func shown(escaped: Bool = false) -> String {
    var text = "\"".unicodeScalars
    bytes.forEachScalar { scalar in
      guard escaped, !scalar.isASCII else {
        text += MessageText.quoted(String(scalar)).unicodeScalars.dropFirst().dropLast()
        return
      }
      text += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
    } notUTF8: { byte in
      text += "\\x\(String(byte, radix: 16))".unicodeScalars
    }
    return String(text) + "\""
  }

  /// Returns this target and another one, which it is compared with.
  func shown(beside other: LinkTarget) -> (old: String, new: String) {
    let isAlike = shown().looksLike(other.shown())
    return (shown(escaped: isAlike), other.shown(escaped: isAlike))
  }
}
