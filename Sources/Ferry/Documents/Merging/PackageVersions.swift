/// The packages that are merged, without the file of their records.
struct PackageVersions {
  private let entries: [MergeSide: [PackagePath: Package.Entry]]

  init(base: Package?, ours: Package, theirs: Package, without main: PackagePath) {
    entries = [.base: base, .ours: ours, .theirs: theirs].compactMapValues { package in
      package?.entries.filter { $0.key != main }
    }
  }

  /// What a version has under a name; nil when it has nothing.
  subscript(side: MergeSide, path: PackagePath) -> Package.Entry? { entries[side]?[path] }

  /// The names that any version has.
  var paths: Set<PackagePath> { Set(entries.values.flatMap(\.keys)) }

  /// Whether a version has a file of a name, which is neither a folder nor a link.
  func hasFile(_ side: MergeSide, _ path: PackagePath) -> Bool {
    if case .file? = self[side, path] { true } else { false }
  }

  /// Whether two versions have the same under a name. Bytes are looked at only where the sizes are equal, piece by piece.
  func areSame(_ path: PackagePath, _ a: MergeSide, _ b: MergeSide) throws(MergeFailure) -> Bool {
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
  ) throws(MergeFailure) -> Bool {
    guard let place = a.file.placeOfUnread, let otherPlace = b.file.placeOfUnread else {
      let bytes = try MergeFailure.of(a.side) { () throws(Failure) in try a.file.bytes() }
      return try MergeFailure.of(b.side) { () throws(Failure) in try b.file.bytes() == bytes }
    }
    let mine = try MergeFailure.of(a.side) { () throws(Failure) in try PackagedFile.Pieces(of: place) }
    let other = try MergeFailure.of(b.side) { () throws(Failure) in try PackagedFile.Pieces(of: otherPlace) }
    while true {
      let piece = try MergeFailure.of(a.side) { () throws(Failure) in try mine.next() }
      guard try MergeFailure.of(b.side, { () throws(Failure) in try other.next() }) == piece else {
        return false
      }
      if piece.isEmpty { return true }
    }
  }
}

extension MergeFailure {
  /// Runs `body`, and says of what it throws which version is at fault.
  static func of<Result: ~Copyable>(
    _ side: MergeSide, _ body: () throws(Failure) -> Result
  ) throws(MergeFailure) -> Result {
    do throws(Failure) { return try body() } catch { throw MergeFailure(side: side, failure: error) }
  }
}
