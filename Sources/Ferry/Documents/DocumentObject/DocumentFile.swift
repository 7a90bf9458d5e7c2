/// The condition under which a save may replace the file at a path.
enum SaveCondition: Sendable {
  /// The path is free.
  case absent
  /// No condition: the save replaces any file.
  case anything
  /// The file is the version that was last opened or saved here.
  case version(DocumentVersion)
  /// The file is another writer's version, which the user has seen and decided to replace.
  case theirs(DocumentVersion)
}

/// The file or package of a document: reads and replaces it.
struct DocumentFile: Sendable {
  private static let chunkSize = 256 << 10
  /// The number of attempts to read a document that changes while it is read.
  private static let attempts = 4

  let path: String
  let layout: DocumentLayout

  /// Returns true if two paths are equal after normalization.
  static func isSame(_ path: String, _ other: String) -> Bool {
    SystemPath.normalized(path) == SystemPath.normalized(other)
  }

  /// Returns the version on disk, or nil if no file exists at the path.
  func version() throws(FerryError) -> DocumentVersion? {
    do throws(FerryError) {
      return try FolderAside.finding(SystemPath.destination(of: path)) { () throws(FerryError) in
        guard let version = try DocumentVersion(of: path) else { throw FerryError(.file(.notFound)) }
        return version
      }
    } catch {
      guard error.reason == .file(.notFound) else { throw error }
      return nil
    }
  }

  /// Returns the version on disk, and true if it equals `old`.
  func version(comparedTo old: DocumentVersion?) throws(FerryError) -> (DocumentVersion, isSame: Bool)? {
    guard let current = try version() else { return nil }
    guard let old, try current.isSame(as: old, at: path) else { return (current, false) }
    // The contents were compared, so the time stamps are conclusive from now on.
    return (current.containing(contentsOf: old), true)
  }

  /// Reads the whole document. All of its files belong to one version.
  func read(_ progress: DocumentProgress) async throws(FerryError) -> (DocumentContents, DocumentVersion) {
    for _ in 0..<Self.attempts {
      if let found = try readOnce(progress) { return found }
    }
    // During the last attempt, the lock holds off a process that writes constantly.
    let lock = try await SavingLock.taken(beside: SystemPath.destination(of: path))
    defer { extendLifetime(lock) }
    guard let found = try readOnce(progress) else { throw FerryError(.document(.changesWhileRead)) }
    return found
  }

  /// Reads the document. Returns nil if it changed while it was read.
  private func readOnce(_ progress: DocumentProgress) throws(FerryError) -> (
    DocumentContents, DocumentVersion
  )? {
    guard let before = try version() else { throw FerryError(.document(.notFound)) }
    do throws(FerryError) {
      let contents = try contents(progress)
      guard let after = try version(), after.isIdentical(to: before) else { return nil }
      return (contents, before.containing(contents))
    } catch {
      guard case .package(.changed) = error.reason else { throw error }
      return nil
    }
  }

  private func contents(_ progress: DocumentProgress) throws(FerryError) -> DocumentContents {
    switch layout {
    case .file: return .file(try bytes(progress))
    case .package(let main, _, _):
      let package = try DocumentPackage(reading: path)
      // The file with the records is read here, in the background, because loading will need it.
      _ = try package.bytes(of: main)
      return .package(package)
    }
  }

  private func bytes(_ progress: DocumentProgress) throws(FerryError) -> [UInt8] {
    let input = try FileInput(path: path)
    progress.begin(total: input.size ?? 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(input.size ?? 0)
    try input.forEachChunk { chunk throws(FerryError) in
      bytes.append(copying: chunk)
      progress.complete(chunk.count)
    }
    return bytes
  }

  /// Writes the contents atomically. Returns them as they are on disk, with their version.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.changedByAnother`, `removed` or `moved`, or `FileProblem.exists`, if the
  ///   file at the path does not satisfy the condition.
  func write(
    _ contents: DocumentContents, if condition: SaveCondition, _ progress: DocumentProgress
  ) async throws(FerryError) -> (DocumentContents, DocumentVersion) {
    // The condition is checked twice: now, to avoid writing in vain, and thoroughly under the lock.
    try check(condition, readingFiles: false)
    let target = try SystemPath.destination(of: path)
    switch contents {
    case .file(let bytes): return (contents, try await write(bytes, to: target, if: condition, progress))
    case .package(let package): return try await write(package, to: target, if: condition)
    }
  }

  private func write(
    _ bytes: [UInt8], to target: String, if condition: SaveCondition, _ progress: DocumentProgress
  ) async throws(FerryError) -> DocumentVersion {
    let output = try FileOutput(path: path, replacing: condition.isReplacing)
    try Self.write(bytes, to: output, progress)
    let lock = try await SavingLock.taken(beside: target)
    defer { extendLifetime(lock) }
    try check(condition)
    let (written, now) = (try output.status(), FileStamp.Time.now)
    try Self.commit(output, if: condition)
    // A writer that ignores the lock may already have replaced the new file. Then theirs is on disk, and our
    // save is the last known version.
    guard let written, let version = try DocumentVersion(of: path, taken: now), version.isFile(written) else {
      throw FerryError(.document(.changedByAnother))
    }
    return version.containing(.file(bytes))
  }

  /// Commits a file after checking the condition again, because some writers ignore the lock.
  private static func commit(_ output: FileOutput, if condition: SaveCondition) throws(FerryError) {
    switch condition {
    case .absent, .anything: try output.commit()
    case .version(let known), .theirs(let known):
      try output.commit { old throws(FerryError) in
        guard let status = try SystemPath.status(of: old, followingLinks: false), known.isFile(status) else {
          throw FerryError(.document(.changedByAnother))
        }
      }
    }
  }

  private func write(
    _ package: DocumentPackage, to target: String, if condition: SaveCondition
  ) async throws(FerryError) -> (DocumentContents, DocumentVersion) {
    let lock = try await SavingLock.taken(beside: target)
    defer { extendLifetime(lock) }
    try check(condition)
    let now = FileStamp.Time.now
    let written: DocumentPackage
    do throws(FerryError) {
      written = try package.write(
        to: target, replacing: condition.isReplacing, overwritingChanges: condition.isOverwriting)
    } catch {
      // The package checks its own condition again after exchanging the folders.
      guard case .package(.changed) = error.reason, !condition.isOverwriting else { throw error }
      throw FerryError(.document(.changedByAnother))
    }
    guard let version = try DocumentVersion(of: path, taken: now) else {
      throw FerryError(.document(.removed))
    }
    return (.package(written), version.containing(.package(written)))
  }

  private static func write(
    _ bytes: [UInt8], to output: FileOutput, _ progress: DocumentProgress
  ) throws(FerryError) {
    progress.begin(total: bytes.count)
    var rest = 0..<bytes.count
    while !rest.isEmpty {
      let chunk = rest.prefix(chunkSize)
      try output.write(bytes.span.extracting(chunk))
      progress.complete(chunk.count)
      rest = chunk.upperBound..<rest.upperBound
    }
  }

  private func check(_ condition: SaveCondition, readingFiles: Bool = true) throws(FerryError) {
    let current = try version()
    switch condition {
    case .anything: return
    case .absent: if current != nil { throw FerryError(.file(.exists)) }
    case .version(let known), .theirs(let known):
      guard let current else { throw FerryError(.document(known.isRemoved ? .removed : .moved)) }
      guard try readingFiles ? current.isSame(as: known, at: path) : current.hasFiles(of: known) else {
        throw FerryError(.document(.changedByAnother))
      }
    }
  }
}

extension SaveCondition {
  fileprivate var isReplacing: Bool { if case .absent = self { false } else { true } }

  /// True if the save discards changes of other writers.
  fileprivate var isOverwriting: Bool {
    switch self {
    case .anything, .theirs: true
    case .absent, .version: false
    }
  }
}
