#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

extension FerryError {
  /// Returns the error for creating a file, attributed to the folder if the folder causes it.
  func ofFolder(_ folder: String) -> FerryError {
    if reason == .file(.notFound) { return FerryError(.file(.folderNotFound(folder))) }
    guard let (words, errno) = refusal else { return self }
    return FerryError(.file(.folderNotWritable(folder, words, errno: errno)))
  }

  /// The error for writing to an existing file, which says so if the file may not be written.
  var ofExistingFile: FerryError {
    guard let (words, errno) = refusal else { return self }
    return FerryError(.file(.notWritable(words, errno: errno)))
  }

  /// The system's message and the number of its error if the process may not write; nil for other errors.
  private var refusal: (words: String, errno: Int32?)? {
    let errors: [Errno] = [.permissionDenied, .notPermitted, .readOnlyFileSystem]
    guard errors.contains(where: { FerryError($0).reason == reason }),
      case .file(.system(let words, let errno)) = reason
    else {
      return nil
    }
    return (words, errno)
  }

  /// The error for creating or writing a temporary file, attributed to the folder for temporary files.
  var ofTemporaryFolder: FerryError {
    let (words, errno): (String, Int32?)
    switch reason {
    case .file(.system(let found, let number)): (words, errno) = (found, number)
    case .file(.notFound): (words, errno) = (reason.description, Errno.noSuchFileOrDirectory.rawValue)
    default: return self
    }
    return FerryError(.file(.temporaryFolder(SystemPath.temporaryFolder, words, errno: errno)))
  }

  /// The error for a folder for temporary files without free space.
  static var temporaryFolderIsFull: FerryError { FerryError(Errno.noSpace).ofTemporaryFolder }

  /// The error for a library that has no memory for its state.
  static var outOfMemory: FerryError { FerryError(Errno.noMemory) }

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
