/// The files in a ZIP archive, as its central directory lists them.
///
///     let archive = try ZIPArchive(FileBytes(reading: "Icon.sketch"), budget: Budget())
///     archive.members.map(\.name)          // ["document.json", "pages/6CA6….json", …]
///     try archive.input(of: archive.members[0]).readAll()
struct ZIPArchive: Sendable {
  /// A file in an archive.
  struct Member: Sendable {
    let name: String
    let flags: UInt16
    let method: UInt16
    let checksum: UInt32
    var compressedSize: UInt64
    var size: UInt64
    var headerOffset: UInt64
    /// True if the file is a symbolic link. Its bytes are the target.
    let isLink: Bool
    /// The range of the entry in the directory.
    let entry: Range<Int>
  }

  /// The bytes of the archive.
  let file: FileBytes
  /// The end of the archive, which locates the directory.
  let end: ZIPDirectoryEnd
  private let meter: ZIPMeter
  /// The files in the order of the directory, without those that macOS adds to archives.
  let members: [Member]
  /// The folders of which the directory has entries, each without the slash at its end.
  let folders: [String]

  /// Reads the directory of an archive.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damagedArchive` and the byte offset, or `Budget.Limit.files`.
  init(_ file: FileBytes, budget: Budget) throws(FerryError) {
    self.file = file
    meter = ZIPMeter(budget, size: file.count)
    let end = try ZIPDirectoryEnd(in: file.span)
    self.end = end
    var (members, folders): ([Member], [String]) = ([], [])
    var names: Set<[UInt8]> = []
    var cursor = ByteCursor(file.span, at: Int(clamping: end.directoryOffset))
    for _ in 0..<end.entryCount {
      let start = cursor.offset
      let member = try Self.member(&cursor)
      guard !Self.isOfSystem(member.name) else { continue }
      guard members.count + folders.count < budget.files else {
        throw FerryError(.overBudget(.files(budget.files)))
      }
      guard !member.name.hasSuffix("/") else {
        folders.append(String(member.name.dropLast()))
        continue
      }
      guard names.insert(Array(member.name.utf8)).inserted else {
        throw Self.damaged("it has two files with the name \(quotedForMessage(member.name))", at: start)
      }
      members.append(member)
    }
    (self.members, self.folders) = (members, folders)
  }

  /// Reads the directory of the archive in an input.
  init(reading input: any ByteInput, budget: Budget) throws(FerryError) {
    // A large file is mapped.
    let file = if let path = input.path { try FileBytes(reading: path) } else { try input.readFile() }
    try self.init(file, budget: budget)
  }

  /// Returns true if the first bytes of a file are those of a ZIP archive.
  static func begins(_ head: [UInt8]) -> Bool { signatures.contains { $0.begins(head) } }

  /// Returns true if a file that has a few first bytes, or none yet, may be a ZIP archive.
  static func mayBegin(_ head: [UInt8]) -> Bool {
    signatures.contains { $0.begins(head) || $0.isOpen(head) }
  }

  /// The signatures of an archive with files, and of one without.
  private static let signatures: [FileSignature] = [.zip, .emptyZIP]

  /// Returns true if a file is one that macOS adds to archives, which is not read.
  static func isOfSystem(_ name: String) -> Bool {
    name.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasSuffix("/.DS_Store")
  }

  static func damaged(_ how: String, at offset: Int) -> FerryError {
    FerryError(.compression(.damagedArchive(how)), at: InputLocation(byte: offset))
  }

  /// Reads an entry of the directory.
  static func member(_ cursor: inout ByteCursor) throws(FerryError) -> Member {
    let start = cursor.offset
    do throws(FerryError) {
      guard try cursor.littleEndian(4) == 0x0201_4b50 else {
        throw damaged("its directory has no entry here", at: start)
      }
      let (version, _) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      let (flags, method) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      _ = try cursor.littleEndian(4)
      let (checksum, compressedSize, size) = (
        try cursor.littleEndian(4), try cursor.littleEndian(4), try cursor.littleEndian(4)
      )
      let (nameSize, extraSize, commentSize) = (
        try cursor.littleEndian(2), try cursor.littleEndian(2), try cursor.littleEndian(2)
      )
      _ = try cursor.littleEndian(4)
      let attributes = try cursor.littleEndian(4)
      let headerOffset = try cursor.littleEndian(4)
      let name = [UInt8](copying: try cursor.take(nameSize, "a name"))
      let extra = [UInt8](copying: try cursor.take(extraSize, "an extra field"))
      _ = try cursor.take(commentSize, "a comment")
      var member = Member(
        name: Self.name(name), flags: UInt16(flags), method: UInt16(method), checksum: UInt32(checksum),
        compressedSize: compressedSize, size: size, headerOffset: headerOffset,
        isLink: Self.isLink(version: version, attributes), entry: start..<cursor.offset)
      try member.readLargeSizes(in: extra)
      return member
    } catch {
      guard case .compression = error.reason else { throw damaged("its directory is truncated", at: start) }
      throw error
    }
  }

  /// Returns true if the attributes of an entry are those of a symbolic link. The version shows the system that has made the entry: Unix
  /// or macOS, which write the mode of the file in the upper half of the attributes.
  private static func isLink(version: UInt64, _ attributes: UInt64) -> Bool {
    let (isOfUnix, kind) = (version >> 8 == 3 || version >> 8 == 19, attributes >> 16 & 0o170000)
    return isOfUnix && kind == 0o120000
  }

  /// Returns the text of a name: UTF-8, or else code page 437.
  private static func name(_ bytes: [UInt8]) -> String {
    if let name = String(validating: bytes, as: UTF8.self) { return name }
    var text: [UInt8] = []
    guard let converter = CharacterConverter(named: "CP437"), converter.append(bytes.span, to: &text) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns an input with the decompressed bytes of a file.
  func input(of member: Member) -> some ByteInput { ZIPMemberInput(member, in: file, meter) }
}

extension ZIPArchive.Member {
  /// Reads the sizes of a file that is larger than four gigabytes.
  fileprivate mutating func readLargeSizes(in extra: [UInt8]) throws(FerryError) {
    let unknown = UInt64(UInt32.max)
    guard size == unknown || compressedSize == unknown || headerOffset == unknown else { return }
    var cursor = ByteCursor(extra.span)
    while cursor.remaining >= 4 {
      let (kind, length) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      let field = [UInt8](copying: try cursor.take(length, "an extra field"))
      guard kind == 1 else { continue }
      var values = ByteCursor(field.span)
      if size == unknown { size = try values.littleEndian(8) }
      if compressedSize == unknown { compressedSize = try values.littleEndian(8) }
      if headerOffset == unknown { headerOffset = try values.littleEndian(8) }
      return
    }
  }
}

/// The record at the end of an archive that locates the directory.
struct ZIPDirectoryEnd {
  let entryCount: UInt64
  let directoryOffset: UInt64
  /// The offset of the record.
  let start: Int
  /// The offset of the record with numbers of 64 bits; nil if there is none.
  let largeStart: Int?

  private static let size = 22
  private static let longestComment = 1 << 16

  fileprivate init(in bytes: Span<UInt8>) throws(FerryError) {
    let start = try Self.find(in: bytes)
    self.start = start
    do throws(FerryError) {
      var cursor = ByteCursor(bytes, at: start + 10)
      var (count, _, offset) = (
        try cursor.littleEndian(2), try cursor.littleEndian(4), try cursor.littleEndian(4)
      )
      var locator = ByteCursor(bytes, at: start - 20)
      var largeStart: Int?
      if start >= 20, try locator.littleEndian(4) == 0x0706_4b50 {
        _ = try locator.littleEndian(4)
        let offset64 = Int(clamping: try locator.littleEndian(8))
        largeStart = offset64
        var large = ByteCursor(bytes, at: offset64)
        guard try large.littleEndian(4) == 0x0606_4b50 else {
          throw ZIPArchive.damaged("the record at its end has no large sizes", at: start)
        }
        _ = try large.take(28, "the record at the end")
        (count, _, offset) = (try large.littleEndian(8), try large.littleEndian(8), try large.littleEndian(8))
      }
      (entryCount, directoryOffset, self.largeStart) = (count, offset, largeStart)
    } catch {
      guard case .compression = error.reason else {
        throw ZIPArchive.damaged("the record at its end is truncated", at: start)
      }
      throw error
    }
    guard directoryOffset <= UInt64(start) else {
      throw ZIPArchive.damaged("its directory is outside of the file", at: start)
    }
  }

  private static func find(in bytes: Span<UInt8>) throws(FerryError) -> Int {
    let first = max(0, bytes.count - size - longestComment)
    for start in stride(from: bytes.count - size, through: first, by: -1) where bytes[start] == 0x50 {
      guard bytes[start + 1] == 0x4b, bytes[start + 2] == 5, bytes[start + 3] == 6 else { continue }
      let comment = Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8
      if start + size + comment == bytes.count { return start }
    }
    throw ZIPArchive.damaged("it has no directory at its end", at: bytes.count)
  }
}

extension ByteCursor {
  /// Reads a little-endian number of 1 to 8 bytes.
  mutating func littleEndian(_ width: Int) throws(FerryError) -> UInt64 {
    try bigEndian(width: width, "a number").byteSwapped >> UInt64(8 * (8 - width))
  }
}
