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

  /// A file that is added.
  private enum NewFile {
    case contents([UInt8])
    case copy(ZIPArchive.Member)
  }

  /// A file in the order of the archive, in which it need not be as in the directory.
  private struct Part {
    let member: ZIPArchive.Member
    /// The offset of the header.
    let start: Int
    /// The compressed bytes.
    let contents: Range<Int>
    /// The offset of the next file, or of the directory.
    let end: Int
  }

  let archive: ZIPArchive
  let time: ZIPTime
  private let parts: [Part]
  /// The changes by the offsets of the entries in the directory.
  private var changes: [Int: Change] = [:]
  private var added: [(name: [UInt8], file: NewFile)] = []

  /// Reads the headers of all files.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damagedArchive` if files overlap, or if the archive has several parts.
  init(_ archive: ZIPArchive, time: ZIPTime = .now) throws(FerryError) {
    (self.archive, self.time) = (archive, time)
    parts = try Self.parts(of: archive)
    try checkEnd()
  }

  /// Returns the files in the order of the archive.
  private static func parts(of archive: ZIPArchive) throws(FerryError) -> [Part] {
    let members = archive.entries.sorted {
      ($0.headerOffset, $0.entry.lowerBound) < ($1.headerOffset, $1.entry.lowerBound)
    }
    let directory = archive.directory.lowerBound
    var parts: [Part] = []
    for (index, member) in members.enumerated() {
      let start = Int(clamping: member.headerOffset)
      let end = index + 1 < members.count ? Int(clamping: members[index + 1].headerOffset) : directory
      let contents = try member.contentRange(in: archive.file)
      guard contents.upperBound <= end, end <= directory else {
        throw ZIPArchive.damaged("files overlap", at: start)
      }
      parts.append(Part(member: member, start: start, contents: contents, end: end))
    }
    return parts
  }

  // MARK: Changes

  /// True if nothing is changed.
  var isUnchanged: Bool { changes.isEmpty && added.isEmpty }

  /// Gives a file other contents. The file must be one that Ferry reads: not encrypted, and stored or compressed by deflate.
  mutating func replace(_ member: ZIPArchive.Member, with contents: [UInt8]) {
    changes[member.entry.lowerBound] = .contents(contents)
  }

  /// Removes a file.
  mutating func remove(_ member: ZIPArchive.Member) { changes[member.entry.lowerBound] = .removal }

  /// Adds a file after the last one.
  mutating func add(_ name: String, with contents: [UInt8]) {
    added.append((Array(name.utf8), .contents(contents)))
  }

  /// Adds a copy of a file after the last one. It has the compressed bytes, time, attributes, extra fields and comment of the file.
  mutating func add(_ name: String, copying member: ZIPArchive.Member) {
    added.append((Array(name.utf8), .copy(member)))
  }

  // MARK: Writing

  /// A file in the new archive.
  struct WrittenFile {
    let offset: Int
    /// The contents, if they have changed or are new.
    var contents: ZIPContents?
  }

  /// Returns the bytes of the archive with the changes. Without changes, they are those of the archive.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.largeArchive` if a number would need a field of 64 bits that the archive
  ///   does not have, or `damagedArchive`.
  func bytes() throws(FerryError) -> [UInt8] {
    guard !isUnchanged else { return archive.file.copy }
    var output: [UInt8] = []
    output.reserveCapacity(archive.file.count)
    append(0..<(parts.first?.start ?? archive.directory.lowerBound), to: &output)
    var written: [Int: WrittenFile] = [:]
    for part in parts { written[part.member.entry.lowerBound] = try write(part, to: &output) }
    var newEntries: [[UInt8]] = []
    for (name, file) in added { newEntries.append(try write(file, named: name, to: &output)) }
    try writeDirectory(written, newEntries, to: &output)
    return output
  }

  /// Appends bytes of the archive.
  func append(_ range: Range<Int>, to output: inout [UInt8]) {
    output.append(copying: archive.file.span.extracting(range))
  }

  /// Writes a file of the archive. Returns nil if it is removed.
  private func write(_ part: Part, to output: inout [UInt8]) throws(FerryError) -> WrittenFile? {
    let start = output.count
    switch changes[part.member.entry.lowerBound] {
    case nil:
      append(part.start..<part.end, to: &output)
      return WrittenFile(offset: start)
    case .removal:
      // A file that begins with the bytes between the first files would not be detected as an archive.
      guard !output.isEmpty else { return nil }
      append(end(of: part.member, part.contents, before: part.end)..<part.end, to: &output)
      return nil
    case .contents(let bytes):
      let contents = try ZIPContents(bytes, method: part.member.method)
      var header = ZIPRecord(header: archive.file.span.extracting(part.start..<part.contents.lowerBound))
      try header.put(contents, time)
      output += header.bytes
      output += contents.bytes
      append(end(of: part.member, part.contents, before: part.end)..<part.end, to: &output)
      return WrittenFile(offset: start, contents: contents)
    }
  }

  /// Returns the offset after the compressed bytes of a file and the sizes that may follow them, before the next file.
  private func end(of member: ZIPArchive.Member, _ contents: Range<Int>, before next: Int) -> Int {
    let start = contents.upperBound
    guard member.flags & ZIPArchive.Member.hasDescriptor != 0 else { return start }
    for (signature, width) in [(4, 4), (0, 4), (4, 8), (0, 8)] {
      let size = signature + 4 + 2 * width
      guard start + size <= next else { continue }
      let bytes = [UInt8](copying: archive.file.span.extracting(start..<start + size))
      guard signature == 0 || bytes.littleEndian(4, at: 0) == 0x0807_4b50,
        bytes.littleEndian(4, at: signature) == UInt64(member.checksum),
        bytes.littleEndian(width, at: signature + 4) == member.compressedSize,
        bytes.littleEndian(width, at: signature + 4 + width) == member.size
      else { continue }
      return start + size
    }
    return start
  }

  /// Writes a file that is added. Returns its entry in the directory.
  private func write(
    _ file: NewFile, named name: [UInt8], to output: inout [UInt8]
  ) throws(FerryError) -> [UInt8] {
    let start = output.count
    switch file {
    case .contents(let bytes):
      let contents = try ZIPContents(smallestOf: bytes)
      output += ZIPRecord.header(ofNewFile: name, contents, time)
      output += contents.bytes
      return try ZIPRecord.entry(ofNewFile: name, contents, time, at: stated(start))
    case .copy(let member):
      let contents = try member.contentRange(in: archive.file)
      let header = archive.file.span.extracting(Int(clamping: member.headerOffset)..<contents.lowerBound)
      output += ZIPRecord(header: header).renamed(name).bytes
      let end = end(of: member, contents, before: archive.directory.lowerBound)
      append(contents.lowerBound..<end, to: &output)
      return try entry(of: member, WrittenFile(offset: start), named: name)
    }
  }
}
