#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

extension FerryError {
  /// Returns the error for creating a file, attributed to the folder if the folder causes it.
  func ofFolder(_ folder: String) -> FerryError {
    if reason == .file(.notFound) { return FerryError(.file(.folderNotFound(folder))) }
    let errors: [Errno] = [.permissionDenied, .notPermitted, .readOnlyFileSystem]
    guard errors.contains(where: { FerryError($0).reason == reason }),
      case .file(.system(let words, _)) = reason
    else {
      return self
    }
    return FerryError(.file(.folderNotWritable(folder, words)))
  }

  /// The error for creating or writing a temporary file, attributed to the folder for temporary files.
  var ofTemporaryFolder: FerryError {
    let words =
      switch reason {
      case .file(.system(let words, _)): words
      case .file(.notFound): reason.description
      default: nil as String?
      }
    return words.map { FerryError(.file(.temporaryFolder(SystemPath.temporaryFolder, $0))) } ?? self
  }

  /// The error for a folder for temporary files without free space.
  static var temporaryFolderIsFull: FerryError { FerryError(Errno.noSpace).ofTemporaryFolder }

  /// Creates the error for a failed system call.
  init(system code: Int32) { self.init(Errno(rawValue: code)) }

  init(_ error: Errno) {
    switch error {
    case .brokenPipe: self.init(.file(.brokenPipe))
    case .noSuchFileOrDirectory: self.init(.file(.notFound))
    case .fileExists: self.init(.file(.exists))
    case .isDirectory: self.init(.file(.isDirectory))
    default:
      // The message follows a colon, so "No such file or directory" begins with a lowercase letter.
      let words = error.description
      self.init(
        .file(.system(words.prefix(1).lowercased() + words.dropFirst(), errno: error.rawValue)))
    }
  }
}
