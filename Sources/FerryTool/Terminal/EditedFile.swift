import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on the temporary file whose text is edited.
enum EditedFile {
  /// Creates the file, whose name ends with that of the edited file without compression.
  static func make(for file: String, isText: Bool, containing text: [UInt8]) throws(NamedError) -> String {
    let name = Compression.nameInside(file.namesInPath.last.map(String.init) ?? "file")
    return try NamedError.naming(file) { () throws(FerryError) in
      try Folder.makeTemporaryFile(named: isText ? name : "\(name).json", containing: text)
    }
  }

  /// Removes the temporary file.
  static func remove(_ path: String) { _ = unsafe unlink(path) }
}
