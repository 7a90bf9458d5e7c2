/// The entries of the packages in a merge, without the files that hold their records.
struct PackageVersions {
  private let entries: [MergeSide: [PackagePath: DocumentPackage.Entry]]

  init(base: DocumentPackage?, ours: DocumentPackage, theirs: DocumentPackage, without main: PackagePath) {
    entries = [.base: base, .ours: ours, .theirs: theirs].compactMapValues { package in
      package?.entries.filter { $0.key != main }
    }
  }

  /// Returns a version's entry at a path, or nil if there is none.
  subscript(side: MergeSide, path: PackagePath) -> DocumentPackage.Entry? { entries[side]?[path] }

  /// The paths in any version.
  var paths: Set<PackagePath> { Set(entries.values.flatMap(\.keys)) }

  /// Returns true if a version has a file at a path, rather than a folder, a link or nothing.
  func hasFile(_ side: MergeSide, _ path: PackagePath) -> Bool {
    if case .file? = self[side, path] { true } else { false }
  }

  /// Returns true if two versions have the same entry at a path. Bytes are compared in chunks, and only if
  /// the sizes are equal.
  func areSame(_ path: PackagePath, _ a: MergeSide, _ b: MergeSide) throws(MergeError) -> Bool {
    switch (self[a, path], self[b, path]) {
    case (.file(let mine)?, .file(let other)?):
      if mine.isSameOnDisk(as: other) { return true }
      guard mine.size == other.size else { return false }
      return try haveSameBytes((a, mine), (b, other))
    case (.link(let mine)?, .link(let other)?): return mine.utf8.elementsEqual(other.utf8)
    case (.folder?, .folder?), (nil, nil): return true
    default: return false
    }
  }

  private func haveSameBytes(
    _ a: (side: MergeSide, file: PackagedFile), _ b: (side: MergeSide, file: PackagedFile)
  ) throws(MergeError) -> Bool {
    guard let onDisk = a.file.unreadOnDisk, let otherOnDisk = b.file.unreadOnDisk else {
      let bytes = try MergeError.of(a.side) { () throws(FerryError) in try a.file.bytes() }
      return try MergeError.of(b.side) { () throws(FerryError) in try b.file.bytes() == bytes }
    }
    let mine = try MergeError.of(a.side) { () throws(FerryError) in try PackagedFile.Pieces(of: onDisk) }
    let other = try MergeError.of(b.side) { () throws(FerryError) in try PackagedFile.Pieces(of: otherOnDisk)
    }
    while true {
      let piece = try MergeError.of(a.side) { () throws(FerryError) in try mine.next() }
      guard try MergeError.of(b.side, { () throws(FerryError) in try other.next() }) == piece else {
        return false
      }
      if piece.isEmpty { return true }
    }
  }
}

extension MergeError {
  /// Runs a function. If it throws, adds the version to the error.
  static func of<Result: ~Copyable>(
    _ side: MergeSide, _ body: () throws(FerryError) -> Result
  ) throws(MergeError) -> Result {
    do throws(FerryError) { return try body() } catch { throw MergeError(side: side, error: error) }
  }
}
