import Ferry

/// The file of an error, read again around the location of the error.
struct ErrorSource {
  /// A line of a text, divided at a column.
  struct Line {
    let before: String
    let after: String
    /// True if the text before the column begins before the part that was read.
    let isCutBefore: Bool
    /// True if the text after the column ends after the part that was read.
    let isCutAfter: Bool
  }

  /// The path of the file; nil for a pipe, which cannot be read again, and for a package in a ZIP archive.
  private let path: String?
  /// The bytes of the standard input, if it was a pipe, as far as they were read, or those of the file with the records of a package in a
  /// ZIP archive.
  private let kept: [UInt8]?
  /// True if more bytes of the standard input were read than are kept: several threads read far beyond an error.
  private let isKeptCut: Bool
  /// The name, which may show a compression.
  private let name: String

  /// The number of bytes before and after a location that are read: enough for a line of any terminal.
  private static let reach = 4096

  init(name: String) {
    // A file as the standard input can be opened again by this name.
    var path = name == "-" ? "/dev/stdin" : name
    // The errors of a package are those of the file with its records.
    if Folder.isFolder(path), let main = try? DocumentTypes.builtIn.mainFile(of: path) { path = main }
    let file = Folder.isFile(path) ? path : nil
    // The errors of a package in a ZIP archive, too.
    if let zipped = file.flatMap({ DocumentTypes.builtIn.zippedPackage(at: $0, budget: Budget()) }) {
      (self.path, kept, isKeptCut) = (nil, (try? zipped.package.bytes(of: zipped.main)) ?? [], false)
      self.name = zipped.main
      return
    }
    self.path = file
    let first = name == "-" && file == nil ? KeptStandardInput.first : nil
    (kept, isKeptCut) = (first?.bytes, first?.isCut ?? false)
    self.name = path
  }

  /// Returns the content of the file as readers receive it: decompressed, and in UTF-8. Returns nil if it cannot be read again.
  func content(isText: Bool) -> DecodedContent? {
    var input: (any ByteInput)?
    if let kept { input = MemoryInput(kept) } else if let path { input = try? FileInput(path: path) }
    guard let input else { return nil }
    return try? DecodedContent(
      input, named: name, encoding: Terminal.inputEncoding, isText: isText, budget: Budget())
  }

  /// Returns the bytes of the file in a range, as far as the file has them. Returns nil if the file cannot be read again.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    if let kept { return Array(kept[range.clamped(to: kept.indices)]) }
    guard let path else { return nil }
    return (try? FileInput.bytes(of: path, in: range)) ?? nil
  }

  /// Returns the bytes of the decompressed content in a range. Returns nil if it cannot be read again.
  func contentBytes(in range: Range<Int>) -> [UInt8]? {
    guard let content = content(isText: false) else { return nil }
    if content.isPlain { return bytes(in: range) }
    var (found, offset) = ([UInt8](), 0)
    // The part before damage is kept.
    try? content.input.forEachChunk { chunk throws(FerryError) in
      for index in chunk.indices where range.contains(offset + index) { found.append(chunk[index]) }
      offset += chunk.count
    }
    return found
  }

  /// Returns the line around a byte. Returns nil if the byte is not at the column, or if the line is not UTF-8.
  func line(at byte: Int, column: Int) -> Line? {
    let start = max(0, byte - Self.reach)
    // The byte is that of the decompressed content.
    guard content(isText: true)?.isPlain == true, let bytes = bytes(in: start..<byte + Self.reach),
      byte - start <= bytes.count
    else { return nil }
    let before = bytes[..<(byte - start)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    let isCutBefore = lineStart == nil && start > 0
    let after = bytes[(byte - start)...]
    let lineEnd = after.firstIndex(of: UInt8(ascii: "\n"))
    let isCutAfter = lineEnd == nil && (isKeptCut || bytes.count == byte - start + Self.reach)
    guard let head = Self.text(before[(lineStart ?? 0)...], isCutBefore: isCutBefore),
      let tail = Self.text(after[..<(lineEnd ?? bytes.count)], isCutAfter: isCutAfter),
      isCutBefore || head.unicodeScalars.count == column - 1
    else { return nil }
    let trimmed = tail.hasSuffix("\r") ? String(tail.dropLast()) : tail
    return Line(before: head, after: trimmed, isCutBefore: isCutBefore, isCutAfter: isCutAfter)
  }

  /// Returns a line of the content by its number, divided at a column. Returns nil if the content has no such location, or if the line is
  /// not UTF-8.
  func line(_ number: Int, column: Int) -> Line? {
    guard let content = content(isText: true) else { return nil }
    var search = LineSearch(line: number, column: column, reach: Self.reach)
    try? content.input.forEachChunk { chunk throws(FerryError) in search.add(chunk) }
    if isKeptCut { search.cut() }
    guard let found = search.result else { return nil }
    guard let head = Self.text(found.before[...], isCutBefore: found.isCutBefore),
      let tail = Self.text(found.after[...], isCutAfter: found.isCutAfter)
    else { return nil }
    let trimmed = tail.hasSuffix("\r") ? String(tail.dropLast()) : tail
    return Line(before: head, after: trimmed, isCutBefore: found.isCutBefore, isCutAfter: found.isCutAfter)
  }

  /// Returns bytes as text without a byte order mark, or nil if they are not UTF-8. A scalar that is cut at an end is
  /// left out.
  private static func text(
    _ bytes: ArraySlice<UInt8>, isCutBefore: Bool = false, isCutAfter: Bool = false
  ) -> String? {
    var bytes = bytes
    if isCutBefore { bytes = bytes.drop { $0 & 0xc0 == 0x80 } }
    if isCutAfter, let last = bytes.lastIndex(where: { $0 & 0xc0 != 0x80 }), bytes[last] >= 0x80 {
      bytes = bytes[..<last]
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
  }
}

/// A search for the text around a column of a line, in chunks. Columns count scalars, and not a byte order mark.
private struct LineSearch {
  private var linesBefore: Int
  private var scalarsBefore: Int
  private let column: Int
  private let reach: Int
  private(set) var before: [UInt8] = []
  private(set) var after: [UInt8] = []
  private(set) var isCutBefore = false
  private(set) var isCutAfter = false
  private var isAtEnd = false
  private var isFirstLine: Bool

  init(line: Int, column: Int, reach: Int) {
    (linesBefore, scalarsBefore, self.column, self.reach) = (line - 1, 0, column, reach)
    isFirstLine = line == 1
  }

  /// The text that was found; nil if there is no such line, or if the line ends before the column.
  var result: LineSearch? { linesBefore == 0 && scalarsBefore >= column - 1 ? self : nil }

  /// Ends a text of which there is more.
  mutating func cut() { if !isAtEnd { isCutAfter = true } }

  mutating func add(_ chunk: Span<UInt8>) {
    for index in chunk.indices where !isAtEnd { add(chunk[index]) }
  }

  private mutating func add(_ byte: UInt8) {
    guard linesBefore == 0 else {
      if byte == UInt8(ascii: "\n") { linesBefore -= 1 }
      return
    }
    guard byte != UInt8(ascii: "\n") else { return isAtEnd = true }
    let isScalarStart = byte & 0xc0 != 0x80
    if isScalarStart, scalarsBefore == column - 1 || !after.isEmpty {
      guard after.count < reach else {
        (isCutAfter, isAtEnd) = (true, true)
        return
      }
      after.append(byte)
    } else if !after.isEmpty {
      after.append(byte)
    } else {
      before.append(byte)
      if isScalarStart { scalarsBefore += 1 }
      if isFirstLine, before.count == 3, before == Array("\u{feff}".utf8) {
        (before, scalarsBefore) = ([], 0)
      }
      if before.count > 2 * reach {
        before.removeFirst(before.count - reach)
        isCutBefore = true
      }
    }
  }
}
