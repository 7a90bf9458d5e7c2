/// An edit of a file in place: read the file, change it and replace it, without losing this change or one by
/// another program.
///
///     let edit = try InPlaceEdit(of: "prefs.json")
///     let file = try EditableFile(path: edit.path)
///     try file.set(text: "Ada", as: nil, at: path)
///     try edit.replace(with: file.edited().bytes)
///
/// The edit ends when it has replaced the file, with `end()`, or with the last reference to it. If `replace` throws, the edit goes on, and
/// the file may be replaced with other bytes, unless another program has changed it.
///
/// All in-place edits and all documents lock the folder until they end, so they wait for each other and then read the new
/// file. Two edits in one folder, one after the other, are possible in one function, but the second cannot begin before the first has ended:
/// it throws `DocumentProblem.lockedHere`. If a program ignores the lock and writes the file during the edit, Ferry detects it: that program's
/// version is kept or restored, and the edit throws `FileProblem.changedMeanwhile`.
///
/// An edit that takes long, or waits for a user, should not hold the lock all the time. With `watching`, the
/// edit takes the lock only while it replaces the file, and throws `FileProblem.changedMeanwhile` if the contents
/// of the file have changed since the beginning of the edit. A program that has written the same bytes again has changed nothing.
///
/// Only a file or a package can be edited in place. What is written to a pipe or a device does not replace
/// what was read from it, so `init` throws for them, before anything waits for the other end of a pipe.
public final class InPlaceEdit {
  /// The lock mode of an edit.
  public enum Beginning: Sendable {
    /// Locks the file's folder immediately, until the edit ends.
    case locking
    /// Records the version of the file now, and locks its folder only to replace it.
    case watching
  }

  /// The kind of file at the path when the edit began.
  private enum Original {
    /// A folder, whose files `DocumentPackage` checks.
    case package
    case nothing
    case file(DocumentVersion)
  }

  /// The file or package that is edited.
  public let path: String
  private let package: String?
  private let original: Original
  private var locks: Locks?
  /// True after the end of the edit.
  private var hasEnded = false

  /// Begins an edit of a file or a package. Read and write a package as a `DocumentPackage`. If the file holds the
  /// records of a package of a known type, the package is locked too.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.neitherFileNorFolder` for a pipe, a device and `-`, `DocumentProblem.busy`
  ///   if the lock does not become free, `lockedHere` if this task or thread holds it for another edit, or an error of the system.
  public init(
    of path: String, among types: DocumentTypes = .builtIn, beginning: Beginning = .locking
  ) throws(FerryError) {
    self.path = path
    let kind = path == "-" ? .other : try SystemPath.status(of: path)?.kind
    package = kind == .regular ? types.package(withRecordsIn: path)?.path : nil
    switch kind {
    case .other, .link: throw FerryError(.document(.neitherFileNorFolder))
    case .directory:
      locks = try Locks(of: DocumentPackage.withoutSlashes(path), inPackage: nil)
      original = .package
    case .regular, nil:
      if case .locking = beginning { locks = try Locks(of: path, inPackage: package) } else { locks = nil }
      guard let version = try DocumentVersion(of: path) else {
        original = .nothing
        return
      }
      original = .file(try version.containing(contentsAt: path, always: beginning == .watching))
    }
  }

  /// Ends the edit without replacing the file, and releases the lock. Does nothing if the edit has ended.
  public func end() {
    hasEnded = true
    locks = nil
  }

  /// Replaces the file with bytes, and ends the edit. A file with these bytes stays as it is.
  ///
  /// - Throws: The errors of `commit(_:)`.
  public func replace(with bytes: [UInt8]) throws(FerryError) {
    try checkHasNotEnded()
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try commit(output)
  }

  /// Replaces the package that is edited, or makes it if there was nothing at the path, and ends the edit.
  ///
  /// - Returns: The package as it is on disk now.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.editEnded`, or an error of `DocumentPackage.write`.
  @discardableResult
  public func replace(with package: DocumentPackage) throws(FerryError) -> DocumentPackage {
    try checkHasNotEnded()
    let isReplacing = if case .nothing = original { false } else { true }
    let written = try package.write(to: path, replacing: isReplacing)
    end()
    return written
  }

  private func checkHasNotEnded() throws(FerryError) {
    guard !hasEnded else { throw FerryError(.document(.editEnded)) }
  }

  /// Replaces the file with an output that was opened for the path, and ends the edit. A file with the bytes of the output stays as it
  /// is, with its time and its hard links.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.changedMeanwhile`, `DocumentProblem.editEnded` if the edit has ended, or an error
  ///   of the system. In that case the file is unchanged, or has the contents that another program wrote.
  public func commit(_ output: FileOutput) throws(FerryError) {
    try checkHasNotEnded()
    try commitUnlessChanged(output)
    end()
  }

  private func commitUnlessChanged(_ output: FileOutput) throws(FerryError) {
    switch original {
    case .package: try output.commit()
    case .nothing:
      do throws(FerryError) {
        try output.commit(toNew: true)
      } catch {
        throw error.reason == .file(.exists) ? FerryError(.file(.changedMeanwhile)) : error
      }
    case .file(let version): try commit(output, over: version)
    }
  }

  private func commit(_ output: FileOutput, over version: DocumentVersion) throws(FerryError) {
    let locks = if let locks { locks } else { try Locks(of: path, inPackage: package) }
    defer { extendLifetime(locks) }
    guard let current = try DocumentVersion(of: path),
      try current.isUnchanged(since: version, at: path) || current.hasContents(of: version, at: path)
    else {
      throw FerryError(.file(.changedMeanwhile))
    }
    if try output.abandonIfUnchanged() { return }
    do throws(FerryError) {
      try output.commit { old throws(FerryError) in
        guard let status = try SystemPath.status(of: old, followingLinks: false), current.isFile(status)
        else {
          throw FerryError(.file(.changedMeanwhile))
        }
      }
    } catch {
      throw error.reason == .file(.notFound) ? FerryError(.file(.changedMeanwhile)) : error
    }
  }

  /// The locks of an edit, outermost folder first: the package's lock, which documents take, and the lock of
  /// the folder that contains the file, which `PackageWriter` takes to replace the package.
  private final class Locks {
    private let outer: SavingLock?
    private let inner: SavingLock

    init(of path: String, inPackage package: String?) throws(FerryError) {
      outer =
        if let package { try SavingLock.takenBlocking(beside: SystemPath.destination(of: package)) } else {
          nil
        }
      inner = try SavingLock.takenBlocking(beside: SystemPath.destination(of: path))
    }
  }
}

extension DocumentVersion {
  /// Returns the version with a digest of its file added if the file was changed so recently that its times
  /// are inconclusive, or always.
  fileprivate func containing(
    contentsAt path: String, always: Bool
  ) throws(FerryError) -> DocumentVersion {
    isSettled && !always ? self : containing(try ContentDigest(ofFile: SystemPath.destination(of: path)))
  }

  /// Returns true if the file is still that of an older version. Compares digests if the older version has
  /// one, otherwise all times.
  fileprivate func isUnchanged(since old: DocumentVersion, at path: String) throws(FerryError) -> Bool {
    old.isSettled ? isIdentical(to: old) : try isSame(as: old, at: path)
  }
}
