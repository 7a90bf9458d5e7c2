/// An edit of a file in place: the file is read, changed and replaced without losing this change or that of
/// another program.
///
///     let edit = try InPlaceEdit(of: "prefs.json")
///     let file = try EditableFile(path: edit.path)
///     try file.set(text: "Ada", as: nil, at: path)
///     try edit.replace(with: file.bytes())
///
/// Programs that take the lock of the folder, as all in-place edits and all documents do, wait from the
/// beginning of an edit to its end, and then read the new file. If a program ignores the lock and writes the
/// file meanwhile, Ferry detects it: that program's file is kept or restored, and the edit throws
/// `FileProblem.changedMeanwhile`.
///
/// An edit that takes long, or waits for a user, does not hold the lock all the time. If it begins by
/// `watching`, it takes the lock only to replace the file, and throws the same error if the file has changed
/// since the beginning of the edit.
///
/// Only a file or a package can be edited in place. What is written to a pipe or a device does not replace
/// what was read from it, so `init` throws for them, before anything waits for the other end of a pipe.
public final class InPlaceEdit {
  /// The way in which an edit begins.
  public enum Beginning: Sendable {
    /// Locks the file's folder now.
    case locking
    /// Records the version of the file, and locks its folder when it is written.
    case watching
  }

  /// The file at the path at the beginning of the edit.
  private enum Original {
    /// A folder, whose files `Package` checks.
    case package
    case nothing
    case file(DocumentVersion)
  }

  /// The file or package that is edited.
  public let path: String
  private let package: String?
  private let original: Original
  private let locks: Locks?

  /// Begins an edit of a file, or of a package, which is then read and written as a `Package`. For a file
  /// with the records of a package of a known type, the lock of the package is taken too.
  ///
  /// - Throws: `DocumentProblem.neitherFileNorFolder` for a pipe, a device and `-`, `DocumentProblem.busy` if
  ///   the lock does not become free, or an error of the system.
  public init(
    of path: String, among types: DocumentTypes = .builtIn, beginning: Beginning = .locking
  ) throws(FerryError) {
    self.path = path
    let kind = path == "-" ? .other : try SystemPath.status(of: path)?.kind
    package = kind == .regular ? types.package(withRecordsIn: path) : nil
    switch kind {
    case .other, .link: throw FerryError(.document(.neitherFileNorFolder))
    case .directory:
      locks = try Locks(of: Package.withoutSlashes(path), inPackage: nil)
      original = .package
    case .regular, nil:
      if case .locking = beginning { locks = try Locks(of: path, inPackage: package) } else { locks = nil }
      guard let version = try DocumentVersion(of: path) else {
        original = .nothing
        return
      }
      original = .file(try version.containing(contentsAt: path))
    }
  }

  /// Replaces the file with bytes.
  ///
  /// - Throws: The errors of `commit(_:)`.
  public func replace(with bytes: [UInt8]) throws(FerryError) {
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try commit(output)
  }

  /// Replaces the file with an output that was opened for the path.
  ///
  /// - Throws: `FileProblem.changedMeanwhile`, or an error of the system. The file is unchanged, or as
  ///   another program has written it.
  public func commit(_ output: FileOutput) throws(FerryError) {
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
    guard let current = try DocumentVersion(of: path), try current.isUnchanged(since: version, at: path)
    else {
      throw FerryError(.file(.changedMeanwhile))
    }
    do throws(FerryError) {
      try output.commit { old throws(FerryError) in
        guard let status = try SystemPath.status(of: old, followingLinks: false), version.isFile(status)
        else {
          throw FerryError(.file(.changedMeanwhile))
        }
      }
    } catch {
      throw error.reason == .file(.notFound) ? FerryError(.file(.changedMeanwhile)) : error
    }
  }

  /// The locks of an edit, outermost folder first: that of the package, as documents take it, and that of the
  /// folder that contains the file, which `PackageWriter` takes to replace the package.
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
  /// Returns the version with a digest of its file if the file was changed so recently that times are
  /// inconclusive.
  fileprivate func containing(contentsAt path: String) throws(FerryError) -> DocumentVersion {
    isSettled ? self : containing(try ContentDigest(ofFile: SystemPath.destination(of: path)))
  }

  /// Returns true if the file is that of an older version, by its digest if there is one, otherwise by all
  /// its times.
  fileprivate func isUnchanged(since old: DocumentVersion, at path: String) throws(FerryError) -> Bool {
    old.isSettled ? isIdentical(to: old) : try isSame(as: old, at: path)
  }
}
