// The only file that calls the system's `iconv`.

internal import CIconv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A converter of text between UTF-8 and an encoding that the system's `iconv` knows, in chunks.
@safe final class CharacterConverter {
  private let descriptor: iconv_t
  /// The bytes at the end of the last chunk that are a part of a character.
  private var pending: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 14)

  /// Creates a converter from an encoding to UTF-8. Returns nil if the encoding is not supported.
  convenience init?(named name: String) { self.init(from: name, to: "UTF-8") }

  /// Creates a converter from UTF-8 to an encoding. Returns nil if the encoding is not supported.
  convenience init?(toEncodingNamed name: String) { self.init(from: "UTF-8", to: name) }

  /// Returns a converter for EBCDIC, in which an XML declaration that names a variant can be read.
  static func ebcdic() -> CharacterConverter? { CharacterConverter(named: "IBM037") }

  private init?(from source: String, to target: String) {
    let names = [source, target].map { name in
      Self.isShiftJIS(name) ? "CP932" : Self.otherNames[name.lowercased()] ?? name
    }
    // A slash would begin an instruction to leave out characters.
    guard names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(where: Self.isUnusual) }) else { return nil }
    guard let descriptor = unsafe iconv_open(names[1], names[0]),
      unsafe descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe self.descriptor = descriptor
  }

  deinit { _ = unsafe iconv_close(descriptor) }

  /// The names of encodings in the names that `iconv` of all systems knows.
  private static let otherNames = [
    "iso-latin-1": "ISO-8859-1", "iso latin 1": "ISO-8859-1", "latin-1": "ISO-8859-1",
    "iso-latin-2": "ISO-8859-2", "iso latin 2": "ISO-8859-2", "latin-2": "ISO-8859-2",
    "macroman": "MACINTOSH", "x-mac-roman": "MACINTOSH",
  ]

  /// Returns true if a name is one of Shift_JIS.
  ///
  /// The WHATWG encoding standard decodes these names as windows-31j, as programs write such files. The table that `iconv` has for
  /// them reads the backslash as a yen sign, and with it every escape of JSON.
  static func isShiftJIS(_ name: String) -> Bool {
    let letters = name.lowercased().filter { $0 != "-" && $0 != "_" }
    return ["shiftjis", "sjis", "xsjis", "mskanji", "csshiftjis"].contains(letters)
  }

  private static func isUnusual(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "/") || byte >= 0x7f
  }

  /// True if the last character is complete.
  var isWhole: Bool { pending.isEmpty }

  /// Appends a converted chunk. If it contains bytes that cannot be converted, appends the text before them and returns
  /// false. Bytes that may begin a character wait for the next chunk.
  func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    convert(chunk, to: &text) == chunk.count
  }

  /// Appends a converted chunk up to a character that cannot be converted. Returns the index of this character in the
  /// chunk, or the size of the chunk. A character that begins in the chunk before has the index 0.
  func convert(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Int {
    var start = 0
    // A character in two chunks is put together byte by byte.
    while !pending.isEmpty, start < chunk.count {
      pending.append(chunk[start])
      start += 1
      let bytes = pending
      switch step(bytes.span, to: &text) {
      case (let consumed, .done) where consumed == bytes.count: pending = []
      case (_, .incomplete) where bytes.count < Self.longestCharacter: continue
      default: return 0
      }
    }
    while start < chunk.count {
      let rest = chunk.extracting(droppingFirst: start)
      let (consumed, outcome) = step(rest, to: &text)
      start += consumed
      switch outcome {
      case .done: return start
      case .invalid: return start
      case .incomplete:
        let left = chunk.extracting(droppingFirst: start)
        guard left.count < Self.longestCharacter else { return start }
        pending = [UInt8](copying: left)
        return chunk.count
      }
    }
    return chunk.count
  }

  /// More bytes than any encoding has in one character.
  private static let longestCharacter = 16

  /// Appends the bytes that end a text in an encoding with shifts, or the last character of a decoded text if `iconv` has held
  /// it back, because it makes one character of a letter and an accent.
  func finish(to text: inout [UInt8]) {
    let room = buffer.count
    let produced = unsafe buffer.withUnsafeMutableBytes { buffer in
      var target = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      var free = room
      _ = unsafe iconv(descriptor, nil, nil, &target, &free)
      return room - free
    }
    text += buffer.prefix(produced)
  }

  /// Forgets the bytes of an incomplete character.
  func dropPending() { pending = [] }

  private enum Outcome { case done, incomplete, invalid }

  private func step(_ bytes: Span<UInt8>, to text: inout [UInt8]) -> (consumed: Int, outcome: Outcome) {
    let room = buffer.count
    var consumed = 0
    while true {
      let rest = bytes.extracting(droppingFirst: consumed)
      let (left, free, failure) = unsafe rest.withUnsafeBytes { rest in
        unsafe buffer.withUnsafeMutableBytes { buffer in
          // `iconv` does not change the source.
          var source = unsafe UnsafeMutableRawPointer(mutating: rest.baseAddress)?.assumingMemoryBound(
            to: CChar.self)
          var target = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
          var (left, free) = (rest.count, room)
          errno = 0
          let result = unsafe iconv(descriptor, &source, &left, &target, &free)
          return (left, free, result == Int(bitPattern: UInt.max) || result == -1 ? errno : 0)
        }
      }
      consumed = bytes.count - left
      text += buffer.prefix(room - free)
      switch failure {
      case 0: return (consumed, .done)
      case E2BIG: continue
      case EINVAL: return (consumed, .incomplete)
      default: return (consumed, .invalid)
      }
    }
  }
}
