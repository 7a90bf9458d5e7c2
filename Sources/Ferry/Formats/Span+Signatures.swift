extension Span<UInt8> {
  /// True if a file that begins with the text may be recognized by its first bytes as a file that is not text: compressed or signed data, a ZIP
  /// archive, a binary property list.
  ///
  /// In an encoding with one byte for each character, the text `(µ/ý` has the first bytes of zstd.
  var beginsBinaryFile: Bool {
    let head = [UInt8](copying: extracting(..<Swift.min(count, 64)))
    // The text does not end the file.
    return [head, head.inWindows1252].contains { ($0 + [UInt8(ascii: "\n")]).beginsBinaryFile }
  }
}

extension [UInt8] {
  fileprivate var beginsBinaryFile: Bool {
    // The bytes after `x^` decide whether the data is in the format of zlib.
    if Compression.of(self) != nil || starts(with: "x^".utf8) { return true }
    return FormatDetector.recognizesFirstBytes(FormatHead(self, name: nil))
  }

  /// The text in UTF-8 as text in Windows-1252, or in Latin-1, up to the first character that is in neither of them or in no signature.
  fileprivate var inWindows1252: [UInt8] {
    var bytes: [UInt8] = []
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0...0xff: bytes.append(UInt8(scalar.value))
      case 0x2030: bytes.append(0x89)
      case 0x2039: bytes.append(0x8b)
      case 0x0153: bytes.append(0x9c)
      default: return bytes
      }
    }
    return bytes
  }
}
