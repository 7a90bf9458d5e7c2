/// A copier of a ZIP archive in which files are changed, added or removed.
///
///     bytes before    as they are
///     file            header, name, extra fields, compressed bytes, and what follows up to the next file: as they are,
///     …               or with new contents
///     new files
///     directory       with the new sizes, checksums, times and offsets
///     end             with the new sizes and offsets, and the comment of the archive
///
/// A file with new contents keeps its name, attributes, comment and compression method: `mimetype` stays uncompressed, and the first.
/// Its time becomes the current one, as if an app had saved it.
struct ZIPCopier {
  /// A change of a file of the archive.
  private enum Change {
    case contents([UInt8])
    case removal
  }

  /// A file in the order of the archive, in which it need not be as in the directory.
  private struct Part {
    /// The index in the directory.
    let index: Int
    /// The header and the compressed bytes.
    let bytes: Range<Int>
    /// The offset of the compressed bytes.
    let dataStart: Int
    /// The offset of the next file, or of the directory.
    let end: Int
  }

  private let file: FileBytes
  private let end: ZIPDirectoryEnd
  /// All entries of the directory, also folders and the files of macOS.
  private let entries: [ZIPArchive.Member]
  /// The offset after the last entry.
  private let entriesEnd: Int
  private let parts: [Part]
  /// The indices of the entries by their offsets in the directory.
  private let indices: [Int: Int]
  private var changes: [Int: Change] = [:]
  private var added: [(name: [UInt8], contents: [UInt8])] = []
  private let time: ZIPTime

  private static let headerSize = 30
  /// The size of the two records with numbers of 64 bits.
  private static let largeEndSize = 76
  private static let isLarge = UInt64(UInt32.max)

  /// Reads the headers of all files.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damagedArchive` if files overlap, or if the archive has several parts.
  init(_ archive: ZIPArchive, time: ZIPTime = .now) throws(FerryError) {
    let (file, end) = (archive.file, archive.end)
    (self.file, self.end, self.time) = (file, end, time)
    let directory = Int(clamping: end.directoryOffset)
    var cursor = ByteCursor(file.span, at: directory)
    var entries: [ZIPArchive.Member] = []
    for _ in 0..<end.entryCount { entries.append(try ZIPArchive.member(&cursor)) }
    (self.entries, entriesEnd) = (entries, cursor.offset)
    parts = try Self.parts(of: entries, in: file, before: directory)
    let starts = entries.enumerated().map { ($1.entry.lowerBound, $0) }
    indices = Dictionary(starts) { first, _ in first }
    try checkEnd()
  }

  /// Throws if the records at the end overlap the directory, or if the archive is one of several files.
  private func checkEnd() throws(FerryError) {
    let largeStart = end.largeStart ?? end.start - Self.largeEndSize
    guard entriesEnd <= end.largeStart ?? end.start, largeStart <= end.start - Self.largeEndSize else {
      throw ZIPArchive.damaged("its directory overlaps its end", at: entriesEnd)
    }
    let record = [UInt8](copying: file.span.extracting(end.start..<end.start + 8))
    let parts = record.number(width: 4, at: 4)
    guard parts == 0 || end.largeStart != nil else {
      throw ZIPArchive.damaged("it is one of several files", at: end.start)
    }
  }

  /// Returns the files in the order of the archive.
  private static func parts(
    of entries: [ZIPArchive.Member], in file: FileBytes, before directory: Int
  ) throws(FerryError) -> [Part] {
    let starts = entries.map { Int(clamping: $0.headerOffset) }
    let order = entries.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    var parts: [Part] = []
    for (position, index) in order.enumerated() {
      let start = starts[index]
      let end = position + 1 < order.count ? starts[order[position + 1]] : directory
      let dataStart = try dataStart(of: entries[index], at: start, in: file)
      guard end <= directory, dataStart <= end, entries[index].compressedSize <= UInt64(end - dataStart)
      else {
        throw ZIPArchive.damaged("files overlap", at: start)
      }
      let dataEnd = dataStart + Int(entries[index].compressedSize)
      parts.append(Part(index: index, bytes: start..<dataEnd, dataStart: dataStart, end: end))
    }
    return parts
  }

  /// Returns the offset of the compressed bytes of a file.
  private static func dataStart(
    of entry: ZIPArchive.Member, at start: Int, in file: FileBytes
  ) throws(FerryError) -> Int {
    do throws(FerryError) {
      var cursor = ByteCursor(file.span, at: start)
      guard try cursor.littleEndian(4) == 0x0403_4b50 else {
        throw ZIPArchive.damaged("no file begins here", at: start)
      }
      _ = try cursor.take(22, "a header")
      let (nameSize, extraSize) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      _ = try cursor.take(nameSize + extraSize, "a header")
      return cursor.offset
    } catch {
      guard case .compression = error.reason else {
        throw ZIPArchive.damaged("a file is truncated", at: start)
      }
      throw error
    }
  }

  // MARK: Changes

  /// True if nothing is changed.
  var isUnchanged: Bool { changes.isEmpty && added.isEmpty }

  /// Gives a file other contents.
  mutating func replace(_ member: ZIPArchive.Member, with contents: [UInt8]) {
    if let index = indices[member.entry.lowerBound] { changes[index] = .contents(contents) }
  }

  /// Removes a file.
  mutating func remove(_ member: ZIPArchive.Member) {
    if let index = indices[member.entry.lowerBound] { changes[index] = .removal }
  }

  /// Adds a file after the last one.
  mutating func add(_ name: String, with contents: [UInt8]) { added.append((Array(name.utf8), contents)) }

  // MARK: Writing

  /// Returns the bytes of the archive with the changes. Without changes, they are those of the archive.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.largeArchive` if a number would need a field of 64 bits that the archive
  ///   does not have, or `damagedArchive`.
  func bytes() throws(FerryError) -> [UInt8] {
    guard !isUnchanged else { return file.copy }
    var output: [UInt8] = []
    output.reserveCapacity(file.count)
    let first = parts.first?.bytes.lowerBound ?? Int(clamping: end.directoryOffset)
    append(0..<first, to: &output)
    var written: [Int: WrittenFile] = [:]
    for part in parts { written[part.index] = try write(part, to: &output) }
    let new = try added.map { file throws(FerryError) in
      try Self.write(file.name, file.contents, time, to: &output)
    }
    try writeDirectory(written, new, to: &output)
    return output
  }

  private func append(_ range: Range<Int>, to output: inout [UInt8]) {
    output.append(copying: file.span.extracting(range))
  }

  /// A file in the new archive.
  private struct WrittenFile {
    let offset: Int
    /// The contents, if they have changed or are new.
    var contents: CompressedContents?
    var name: [UInt8] = []
  }

  /// Writes a file of the archive. Returns nil if it is removed.
  private func write(_ part: Part, to output: inout [UInt8]) throws(FerryError) -> WrittenFile? {
    let start = output.count
    let member = entries[part.index]
    switch changes[part.index] {
    case nil:
      append(part.bytes.lowerBound..<part.end, to: &output)
      return WrittenFile(offset: start)
    case .removal:
      append(endOfFile(part)..<part.end, to: &output)
      return nil
    case .contents(let bytes):
      let contents = try CompressedContents(bytes, method: member.method)
      var header = [UInt8](copying: file.span.extracting(part.bytes.lowerBound..<part.dataStart))
      header.clearDescriptor(at: 6, method: member.method)
      header.put(UInt64(member.method), width: 2, at: 8)
      header.put(time, at: 10)
      header.put(UInt64(contents.checksum), width: 4, at: 14)
      let nameSize = Int(header.number(width: 2, at: 26))
      let extra = ZIPExtraFields(in: header, Self.headerSize + nameSize..<header.count)
      extra.put(time, in: &header)
      var large = extra.largeNumbers
      try header.put(UInt64(contents.size), at: 22, orIn: &large)
      try header.put(UInt64(contents.bytes.count), at: 18, orIn: &large)
      output += header
      output += contents.bytes
      append(endOfFile(part)..<part.end, to: &output)
      return WrittenFile(offset: start, contents: contents)
    }
  }

  /// Returns the offset after a file and the sizes that may follow its compressed bytes.
  private func endOfFile(_ part: Part) -> Int {
    let (member, start) = (entries[part.index], part.bytes.upperBound)
    guard member.flags & ZIPFlags.hasDescriptor != 0 else { return start }
    for (signature, width) in [(4, 4), (0, 4), (4, 8), (0, 8)] {
      let size = signature + 4 + 2 * width
      guard start + size <= part.end else { continue }
      let bytes = [UInt8](copying: file.span.extracting(start..<start + size))
      guard signature == 0 || bytes.number(width: 4, at: 0) == 0x0807_4b50,
        bytes.number(width: 4, at: signature) == UInt64(member.checksum),
        bytes.number(width: width, at: signature + 4) == member.compressedSize,
        bytes.number(width: width, at: signature + 4 + width) == member.size
      else { continue }
      return start + size
    }
    return start
  }

  /// Writes a new file.
  private static func write(
    _ name: [UInt8], _ bytes: [UInt8], _ time: ZIPTime, to output: inout [UInt8]
  ) throws(FerryError) -> WrittenFile {
    let start = output.count
    let contents = try CompressedContents(smallestOf: bytes)
    output += FileSignature.zip.bytes
    output += Self.fields(of: name, contents, time)
    output += name
    output += contents.bytes
    return WrittenFile(offset: start, contents: contents, name: name)
  }

  /// Returns the fields that a new file has in its header and in the directory: from the version up to the size of the extra fields.
  private static func fields(of name: [UInt8], _ contents: CompressedContents, _ time: ZIPTime) -> [UInt8] {
    var fields = [UInt8](repeating: 0, count: 26)
    fields.put(20, width: 2, at: 0)
    let isASCII = name.allSatisfy { $0 < 0x80 }
    fields.put(isASCII ? 0 : UInt64(ZIPFlags.hasUTF8), width: 2, at: 2)
    fields.put(UInt64(contents.method), width: 2, at: 4)
    fields.put(time, at: 6)
    fields.put(UInt64(contents.checksum), width: 4, at: 10)
    fields.put(UInt64(contents.bytes.count), width: 4, at: 14)
    fields.put(UInt64(contents.size), width: 4, at: 18)
    fields.put(UInt64(name.count), width: 2, at: 22)
    return fields
  }

  // MARK: Directory

  private func writeDirectory(
    _ written: [Int: WrittenFile], _ new: [WrittenFile], to output: inout [UInt8]
  ) throws(FerryError) {
    let start = output.count
    for (index, entry) in entries.enumerated() {
      guard let file = written[index] else { continue }
      output += try directoryEntry(entry, file)
    }
    for file in new { output += try newDirectoryEntry(file) }
    append(entriesEnd..<(end.largeStart ?? end.start), to: &output)
    try writeEnd(directory: start..<output.count, count: written.count + new.count, to: &output)
  }

  /// Returns the entry of a file, with its new offset.
  private func directoryEntry(
    _ member: ZIPArchive.Member, _ written: WrittenFile
  ) throws(FerryError) -> [UInt8] {
    var entry = [UInt8](copying: file.span.extracting(member.entry))
    let nameSize = Int(entry.number(width: 2, at: 28))
    let extraSize = Int(entry.number(width: 2, at: 30))
    let extra = ZIPExtraFields(in: entry, 46 + nameSize..<min(46 + nameSize + extraSize, entry.count))
    var large = extra.largeNumbers
    if let contents = written.contents {
      entry.clearDescriptor(at: 8, method: member.method)
      entry.put(time, at: 12)
      extra.put(time, in: &entry)
      entry.put(UInt64(contents.checksum), width: 4, at: 16)
    }
    let (size, compressedSize) = (
      written.contents.map { UInt64($0.size) } ?? member.size,
      written.contents.map { UInt64($0.bytes.count) } ?? member.compressedSize
    )
    try entry.put(size, at: 24, orIn: &large)
    try entry.put(compressedSize, at: 20, orIn: &large)
    try entry.put(UInt64(written.offset), at: 42, orIn: &large)
    return entry
  }

  /// Returns the entry of a new file: one that its user may read and write, and others read.
  private func newDirectoryEntry(_ file: WrittenFile) throws(FerryError) -> [UInt8] {
    guard let contents = file.contents, UInt64(file.offset) < Self.isLarge else {
      throw FerryError(.compression(.largeArchive))
    }
    // The signature, and the version 2.0 of a program on Unix.
    var entry: [UInt8] = FileSignature.zip.bytes.prefix(2) + [1, 2, 20, 3]
    entry += Self.fields(of: file.name, contents, time)
    // The sizes of comments, the number of the part, and the attributes of the file.
    entry += [UInt8](repeating: 0, count: 14)
    entry.put(0o100644 << 16, width: 4, at: 38)
    entry.put(UInt64(file.offset), width: 4, at: 42)
    return entry + file.name
  }

  /// Writes the records at the end of the archive, which locate the directory.
  private func writeEnd(
    directory: Range<Int>, count: Int, to output: inout [UInt8]
  ) throws(FerryError) {
    let (start, first) = (output.count, end.largeStart ?? end.start)
    append(first..<file.count, to: &output)
    let record = start + end.start - first
    let (count, size, offset) = (UInt64(count), UInt64(directory.count), UInt64(directory.lowerBound))
    let hasLargeNumbers = end.largeStart != nil
    if hasLargeNumbers {
      output.put(count, width: 8, at: start + 24)
      output.put(count, width: 8, at: start + 32)
      output.put(size, width: 8, at: start + 40)
      output.put(offset, width: 8, at: start + 48)
      output.put(UInt64(start), width: 8, at: record - 12)
    }
    for (value, width, position) in [(count, 2, 8), (count, 2, 10), (size, 4, 12), (offset, 4, 16)] {
      let greatest = width == 2 ? UInt64(UInt16.max) : Self.isLarge
      if hasLargeNumbers, output.number(width: width, at: record + position) == greatest { continue }
      guard value < greatest else { throw FerryError(.compression(.largeArchive)) }
      output.put(value, width: width, at: record + position)
    }
  }
}

/// The flags of a file in a ZIP archive.
private enum ZIPFlags {
  /// The checksum and the sizes follow the compressed bytes, because they were not known before.
  static let hasDescriptor: UInt16 = 1 << 3
  /// The name is in UTF-8.
  static let hasUTF8: UInt16 = 1 << 11
  /// The effort of the compressor.
  static let effort: UInt16 = 3 << 1
}

/// The contents of a file, compressed.
private struct CompressedContents {
  let method: UInt16
  let bytes: [UInt8]
  let size: Int
  let checksum: UInt32

  /// Compresses contents by a method: 8, or 0, which leaves them as they are.
  init(_ contents: [UInt8], method: UInt16) throws(FerryError) {
    guard UInt64(contents.count) < UInt64(UInt32.max) else { throw FerryError(.compression(.largeArchive)) }
    self.method = method
    (bytes, size) = (method == 0 ? contents : try Self.deflated(contents), contents.count)
    checksum = Zlib.crc32(contents)
  }

  /// Compresses contents if they become smaller.
  init(smallestOf contents: [UInt8]) throws(FerryError) {
    let deflated = try CompressedContents(contents, method: 8)
    self = deflated.bytes.count < contents.count ? deflated : try CompressedContents(contents, method: 0)
  }

  private static func deflated(_ contents: [UInt8]) throws(FerryError) -> [UInt8] {
    let compressor = try Zlib.Compressor(wrapping: .none)
    var (buffer, compressed) = ([UInt8](repeating: 0, count: Compression.bufferSize), [UInt8]())
    var start = 0
    while true {
      let step = try compressor.compress(
        contents.span.extracting(droppingFirst: start), isLast: true, into: &buffer)
      start += step.consumed
      compressed.append(copying: buffer.span.extracting(first: step.produced))
      if step.isAtEnd { return compressed }
      guard step.consumed + step.produced > 0 else { throw FerryError.outOfMemory }
    }
  }
}

/// The extra fields of a file in its header or in the directory.
private struct ZIPExtraFields {
  /// The ranges of the contents of the fields, by their numbers.
  private var fields: [(kind: UInt64, range: Range<Int>)] = []

  init(in bytes: [UInt8], _ range: Range<Int>) {
    var offset = range.lowerBound
    while offset + 4 <= range.upperBound {
      let end = offset + 4 + Int(bytes.number(width: 2, at: offset + 2))
      guard end <= range.upperBound else { return }
      fields.append((bytes.number(width: 2, at: offset), offset + 4..<end))
      offset = end
    }
  }

  /// The range of the numbers that need more than 32 bits; empty if there is none.
  var largeNumbers: Range<Int> { fields.first { $0.kind == 1 }?.range ?? 0..<0 }

  /// Replaces the times of change, which are more exact than those of the format itself.
  func put(_ time: ZIPTime, in bytes: inout [UInt8]) {
    for (kind, range) in fields {
      switch kind {
      // The time of change, if the first byte shows that it is there.
      case 0x5455 where range.count >= 5 && bytes[range.lowerBound] & 1 != 0:
        bytes.put(time.unix, width: 4, at: range.lowerBound + 1)
      // The time of the last access is before it.
      case 0x5855 where range.count >= 8, 0x000d where range.count >= 8:
        bytes.put(time.unix, width: 4, at: range.lowerBound + 4)
      case 0x000a where range.count >= 16 && bytes.number(width: 2, at: range.lowerBound + 4) == 1:
        bytes.put(time.windows, width: 8, at: range.lowerBound + 8)
      default: break
      }
    }
  }
}

/// The time of a file in a ZIP archive.
struct ZIPTime {
  /// The date and the time of day of the user's time zone in the two numbers of MS-DOS, with the time in the lower half.
  let local: UInt64
  /// The seconds since 1970 in 32 bits.
  let unix: UInt64
  /// The units of 100 nanoseconds since 1601.
  let windows: UInt64

  /// The current time.
  static var now: ZIPTime { ZIPTime(.now) }

  init(_ time: FileStamp.Time) {
    let seconds = UInt64(clamping: time.seconds)
    unix = min(seconds, UInt64(Int32.max))
    windows = (seconds + 11_644_473_600) * 10_000_000
    guard let fields = time.local, (1980...2107).contains(fields.year) else {
      // The first day that the format has.
      local = 0x0021 << 16
      return
    }
    let date = (fields.year - 1980) << 9 | fields.month << 5 | fields.day
    let day = fields.hour << 11 | fields.minute << 5 | min(fields.second, 59) / 2
    local = UInt64(clamping: date) << 16 | UInt64(clamping: day)
  }
}

// Numbers with the lowest byte first. Each offset is inside of a header, whose size was checked when it was read.

extension [UInt8] {
  fileprivate func number(width: Int, at offset: Int) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(self[offset + $1]) }
  }

  fileprivate mutating func put(_ value: UInt64, width: Int, at offset: Int) {
    for index in 0..<width { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }

  fileprivate mutating func put(_ time: ZIPTime, at offset: Int) { put(time.local, width: 4, at: offset) }

  /// Puts a number into a field of 32 bits, or into the next one of 64 bits if the field shows that the number is there.
  fileprivate mutating func put(
    _ value: UInt64, at offset: Int, orIn large: inout Range<Int>
  ) throws(FerryError) {
    let isLarge = number(width: 4, at: offset) == UInt64(UInt32.max)
    guard isLarge, large.count >= 8 else {
      guard value < UInt64(UInt32.max) else { throw FerryError(.compression(.largeArchive)) }
      return put(value, width: 4, at: offset)
    }
    put(value, width: 8, at: large.lowerBound)
    large = large.lowerBound + 8..<large.upperBound
  }

  /// Shows in the flags of a file that its sizes are in its header, and that the effort of the compressor is the usual one.
  fileprivate mutating func clearDescriptor(at offset: Int, method: UInt16) {
    var flags = UInt16(truncatingIfNeeded: number(width: 2, at: offset)) & ~ZIPFlags.hasDescriptor
    if method == 8 { flags &= ~ZIPFlags.effort }
    put(UInt64(flags), width: 2, at: offset)
  }
}
