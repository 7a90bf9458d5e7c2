/// Bytes of several groups, which are kept to be read group by group: in memory, or in one temporary file if they are many.
///
///     appended    a 1, b 2, a 3, a 4, b 5
///     memory      a 4   b 5
///     file        1 3 | 2           blocks   a 0..<2   b 2..<3
///     read        a 1 3 4, then b 2 5
final class GroupedSpool {
  /// A part of the file, with bytes of one group.
  private struct Block {
    var offset: Int
    var count: Int
  }

  private var memory: [[UInt8]] = []
  private var memoryCount = 0
  private var blocks: [[Block]] = []
  private var file: SystemFile?
  private var fileCount = 0
  private static let mostInMemory = 4 << 20

  /// The number of groups.
  var groupCount: Int { memory.count }

  /// Adds a group, whose index is the number of groups before.
  func addGroup() {
    memory.append([])
    blocks.append([])
  }

  /// Appends bytes to a group. They are read together.
  ///
  /// - Throws: An error of the folder for temporary files.
  func append(_ bytes: Span<UInt8>, to group: Int) throws(FerryError) {
    memory[group].append(copying: bytes)
    memoryCount += bytes.count
    if memoryCount > Self.mostInMemory { try moveToFile() }
  }

  private func moveToFile() throws(FerryError) {
    if file == nil { file = try SystemFile.temporary() }
    for group in memory.indices where !memory[group].isEmpty {
      let bytes = memory[group]
      do throws(FerryError) { try file?.write(bytes.span) } catch { throw error.ofTemporaryFolder }
      blocks[group].append(Block(offset: fileCount, count: bytes.count))
      fileCount += bytes.count
      memory[group].removeAll()
    }
    memoryCount = 0
  }

  /// Calls a function with all bytes of a group. Bytes that were appended together are in one piece.
  func forEachPiece(
    of group: Int, _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    for block in blocks[group] {
      try file?.seek(to: Int64(block.offset))
      guard let bytes = try file?.read(upTo: block.count) else { continue }
      try body(bytes.span)
    }
    let bytes = memory[group]
    if !bytes.isEmpty { try body(bytes.span) }
  }
}
