/// The texts of names, values and numbers in messages.
package enum MessageText {
  /// Returns the beginning and the end of a long text for a message. A text is unchanged if this would not
  /// shorten it.
  ///
  /// - Parameters:
  ///   - beginning: The number of Unicode scalars to keep at the beginning. Scalars are counted, because a
  ///     character may consist of any number of them.
  ///   - end: The number of Unicode scalars to keep at the end.
  static func shortened(_ text: String, beginning: Int, end: Int) -> String {
    let ellipsis = " … "
    let scalars = text.unicodeScalars
    guard scalars.count > beginning + ellipsis.unicodeScalars.count + end else { return text }
    return String(scalars.prefix(beginning)) + ellipsis + String(scalars.suffix(end))
  }

  /// Returns a number for a message. The middle of a number of many digits is left out.
  static func number(_ digits: String) -> String { shortened(digits, beginning: 40, end: 20) }

  /// Returns the name of a class, or a key, for a message. A name that is not a plain word is quoted, and a long name is
  /// shortened.
  package static func name(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 60 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    return isPlain ? name : quoted(name)
  }

  /// Returns the name of a field, a record or an entry for a message. A long name is shortened, and quoted to show its end.
  static func fieldName(_ name: String) -> String { name.utf8.count > 60 ? quoted(name) : name }

  /// Returns a text in quotation marks, with all invisible characters escaped so that a message stays on one line, and names that
  /// differ look different. The escape of an unpaired surrogate, `\ud800`, stays as it is.
  ///
  /// - Parameter keepsBackslashes: True for a text that shows an escape as it is in the file.
  package static func quoted(
    _ text: some StringProtocol, limit: Int = 60, keepsBackslashes: Bool = false
  ) -> String {
    var quoted = "\""
    let shown = text.unicodeScalars.prefix(limit)
    for (index, scalar) in zip(shown.indices, shown) {
      switch scalar {
      case "\\" where keepsBackslashes || shown[index...].beginsWithUnpairedSurrogate: quoted += "\\"
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where text.unicodeScalars.hasInvisible(at: index): quoted += scalar.escaped
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + (text.unicodeScalars.dropFirst(limit).isEmpty ? "\"" : "…\"")
  }

  /// Returns the name of a file, which need not be UTF-8, for a message. A byte that is not UTF-8 is `\xe9`, as in the names that `ls` and
  /// shells print.
  ///
  ///     MessageText.fileName([0x61, 0xe9])     // "a\xe9"
  package static func fileName(_ bytes: some Collection<UInt8>) -> String {
    var parts: [String] = []
    // A list of names may be a file of another kind, with a line of any length.
    Array(bytes.prefix(1024)).forEachScalar { scalar in
      parts.append(String(quoted(String(scalar)).dropFirst().dropLast()))
    } notUTF8: { byte in
      parts.append("\\x\(String(byte, radix: 16))")
    }
    return parts.prefix(60).joined() + (parts.count > 60 ? "…" : "")
  }
}

extension Sequence<Unicode.Scalar> {
  /// True if the text begins with the escape of a surrogate, `\ud800` to `\udfff`, and not with those of a pair.
  fileprivate var beginsWithUnpairedSurrogate: Bool {
    let escapes = Array(prefix(12))
    guard let first = UInt16(surrogateAtStartOf: escapes) else { return false }
    guard first < 0xdc00, let second = UInt16(surrogateAtStartOf: escapes.dropFirst(6)) else { return true }
    return second < 0xdc00
  }
}
