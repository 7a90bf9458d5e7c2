/// A file that is read, changed and put back in its place, so that neither its change nor anybody else's is lost.
///
///     let edit = try InPlaceEdit(of: "prefs.json")
///     let file = try EditableFile(path: edit.path)
///     try file.set(text: "Ada", as: nil, at: path)
///     try edit.replace(with: file.bytes())
///
/// Others that take the lock of the folder, as all in-place edits and all documents do, wait from the beginning of an edit to its
/// end, and then read what it has written. A program that takes no lock and writes the file meanwhile is noticed: its file stays
/// or is put back, and the edit fails with `FileProblem.changedMeanwhile`.
///
/// An edit that takes long, or waits for somebody, does not hold the lock all the time: one that is made by `watching` takes it
/// to put the file in its place, and fails with the same failure if the file is no longer what it was when the edit began.
///
/// A stream, such as `-` or a pipe, is not read again and has no version: nothing is locked for it, and it is written as it is.
public final class InPlaceEdit {
  /// The beginning of an edit.
  public enum Beginning: Sendable {
    /// Locks the file's folder now.
    case locking
    /// Notes what the file is, and locks its folder when it is written.
    case watching
  }

  /// The thing at the path when the edit begins.
  private enum Original {
    /// A pipe or a device.
    case stream
    /// A folder, whose files `Package` looks at.
    case package
    case nothing
    case file(DocumentVersion)
  }

  /// The file or package that is edited.
  public let path: String
  private let package: String?
  private let original: Original
  private let locks: Locks?

  /// Begins an edit of a file, or of a package, which is read and written as a `Package` meanwhile. Of a file with the records of a
  /// package whose type is known, that package's lock is taken too.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free, or what the system says.
  public init(
    of path: String, among types: DocumentTypes = .builtIn, beginning: Beginning = .locking
  ) throws(Failure) {
    self.path = path
    let kind = path == "-" ? .other : try SystemPath.status(of: path)?.kind
    package = kind == .regular ? types.package(withRecordsIn: path) : nil
    switch kind {
    case .other, .link:
      (locks, original) = (nil, .stream)
    case .directory:
      locks = try Locks(of: Package.withoutSlashes(path), inPackage: nil)
      original = .package
    case .regular, nil:
      if case .locking = beginning { locks = try Locks(of: path, inPackage: package) } else { locks = nil }
      guard let version = try DocumentVersion(of: path) else {
        original = .nothing
        return
      }
      original = .file(try version.holding(contentsAt: path))
    }
  }

  /// Puts bytes in the file's place.
  ///
  /// - Throws: what `commit(_:)` throws.
  public func replace(with bytes: [UInt8]) throws(Failure) {
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try commit(output)
  }

  /// Puts an output, which was opened for the path, in the file's place.
  ///
  /// - Throws: `FileProblem.changedMeanwhile`, and what the system says. The file is as it was, or as another program has
  ///   written it.
  public func commit(_ output: FileOutput) throws(Failure) {
    switch original {
    case .stream, .package: try output.commit()
    case .nothing:
      do throws(Failure) {
        try output.commit(toNew: true)
      } catch {
        throw error.reason == .file(.exists) ? Failure(.file(.changedMeanwhile)) : error
      }
    case .file(let version): try commit(output, over: version)
    }
  }

  private func commit(_ output: FileOutput, over version: DocumentVersion) throws(Failure) {
    let locks = if let locks { locks } else { try Locks(of: path, inPackage: package) }
    defer { extendLifetime(locks) }
    guard let current = try DocumentVersion(of: path), try current.isUnchanged(since: version, at: path)
    else {
      throw Failure(.file(.changedMeanwhile))
    }
    try output.commit { old throws(Failure) in
      guard let status = try SystemPath.status(of: old, followingLinks: false), version.isFile(status) else {
        throw Failure(.file(.changedMeanwhile))
      }
    }
  }

  /// The locks of an edit, from the outermost folder inwards: that of the package, as documents take it, and that of the folder
  /// that the file itself is in, which `PackageWriter` takes to replace the package.
  private final class Locks {
    private let outer: SavingLock?
    private let inner: SavingLock

    init(of path: String, inPackage package: String?) throws(Failure) {
      outer =
        if let package { try SavingLock.takenBlocking(beside: SystemPath.destination(of: package)) } else {
          nil
        }
      inner = try SavingLock.takenBlocking(beside: SystemPath.destination(of: path))
    }
  }
}

extension DocumentVersion {
  /// The version with the contents of its file where times cannot tell, as the file was changed just now.
  fileprivate func holding(contentsAt path: String) throws(Failure) -> DocumentVersion {
    isSettled ? self : holding(try ContentDigest(ofFile: SystemPath.destination(of: path)))
  }

  /// Returns true if the file is that of an older version, by its contents if that has them, else by all its times.
  fileprivate func isUnchanged(since old: DocumentVersion, at path: String) throws(Failure) -> Bool {
    old.isSettled ? isIdentical(to: old) : try isSame(as: old, at: path)
  }
}
