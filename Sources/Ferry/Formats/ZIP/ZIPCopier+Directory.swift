// The directory of a changed ZIP archive, and the records at the end of the archive that locate it.

extension ZIPCopier {
  /// Throws if the records at the end overlap the directory, or if the archive is one of several files.
  func checkEnd() throws(FerryError) {
    let end = archive.end
    let isLargeEndWhole = end.largeStart.map { $0 <= end.start - ZIPDirectoryEnd.largeSize } ?? true
    guard archive.directory.upperBound <= end.first, isLargeEndWhole else {
      throw ZIPArchive.damaged("its directory overlaps its end", at: archive.directory.upperBound)
    }
    // The numbers of this file and of the one where the directory begins.
    let numbers = end.largeStart.map { $0 + 16..<$0 + 24 } ?? end.start + 4..<end.start + 8
    for offset in numbers where archive.file.span[offset] != 0 {
      throw ZIPArchive.damaged("it is one of several files", at: end.start)
    }
  }

  /// Writes the directory and the end of the archive.
  ///
  /// - Parameters:
  ///   - written: The files of the archive by the offsets of their entries in its directory.
  ///   - newEntries: The entries of new files.
  ///   - output: The new archive.
  func writeDirectory(
    _ written: [Int: WrittenFile], _ newEntries: [[UInt8]], to output: inout [UInt8]
  ) throws(FerryError) {
    let start = output.count
    for member in archive.entries {
      guard let file = written[member.entry.lowerBound] else { continue }
      output += try entry(of: member, file)
    }
    for entry in newEntries { output += entry }
    if !output.isEmpty { append(archive.directory.upperBound..<archive.end.first, to: &output) }
    try writeEnd(
      directory: start..<output.count, count: UInt64(written.count + newEntries.count), to: &output)
  }

  /// Returns the offset that the archive states for an offset in the file.
  func stated(_ offset: Int) -> Int { offset - Int(clamping: archive.end.shift) }

  /// Returns the entry of a file with its new offset, and another name if it is a copy.
  func entry(
    of member: ZIPArchive.Member, _ written: WrittenFile, named name: [UInt8]? = nil
  ) throws(FerryError) -> [UInt8] {
    var entry = ZIPRecord(entry: archive.file.span.extracting(member.entry))
    if let name { entry = entry.renamed(name) }
    if let contents = written.contents {
      try entry.put(contents, time)
    } else {
      try entry.put(size: member.size, compressedSize: member.compressedSize)
    }
    try entry.put(headerOffset: stated(written.offset))
    return entry.bytes
  }

  /// The two records with numbers of 64 bits, without these numbers: the number of files, the size and the offset of the directory, and the
  /// offset of the first record.
  private static var emptyLargeRecords: [UInt8] {
    var records = [UInt8](repeating: 0, count: ZIPDirectoryEnd.largeSize)
    // The signatures, the size of the rest of the first record, the version 4.5 of a program on Unix, and the number of parts.
    for (value, width, offset) in [
      (0x0606_4b50, 4, 0), (44, 8, 4), (45 | 3 << 8, 2, 12), (45, 2, 14), (0x0706_4b50, 4, 56), (1, 4, 72),
    ] as [(UInt64, Int, Int)] {
      records.put(littleEndian: value, width: width, at: offset)
    }
    return records
  }

  /// Writes the records at the end of the archive, which locate the directory. An archive whose number of files does not fit into a field of 16
  /// bits gets the records with numbers of 64 bits.
  private func writeEnd(
    directory: Range<Int>, count: UInt64, to output: inout [UInt8]
  ) throws(FerryError) {
    let (start, end) = (output.count, archive.end)
    let getsLargeNumbers = end.largeStart == nil && count >= UInt64(UInt16.max)
    if getsLargeNumbers { output += Self.emptyLargeRecords }
    append(end.first..<archive.file.count, to: &output)
    let record = output.count - (archive.file.count - end.start)
    if getsLargeNumbers {
      for position in [8, 10] {
        output.put(littleEndian: UInt64(UInt16.max), width: 2, at: record + position)
      }
    }
    let (size, offset) = (UInt64(directory.count), UInt64(stated(directory.lowerBound)))
    let hasLargeNumbers = end.largeStart != nil || getsLargeNumbers
    if hasLargeNumbers {
      let numbers = [(count, 24), (count, 32), (size, 40), (offset, 48)]
      for (value, position) in numbers { output.put(littleEndian: value, width: 8, at: start + position) }
      output.put(littleEndian: UInt64(stated(start)), width: 8, at: record - 12)
    }
    for (value, width, position) in [(count, 2, 8), (count, 2, 10), (size, 4, 12), (offset, 4, 16)] {
      // The greatest number means that the field of 64 bits has the number.
      let greatest = (UInt64(1) << UInt64(8 * width)) - 1
      if hasLargeNumbers, output.littleEndian(width, at: record + position) == greatest { continue }
      guard value < greatest else { throw FerryError(.compression(.largeArchive)) }
      output.put(littleEndian: value, width: width, at: record + position)
    }
  }
}
