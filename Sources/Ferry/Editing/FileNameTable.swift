/// The names of the files in an archive of files, and of the folders around them, as hash values: comparing a new name with all others for
/// each of many new files would take quadratic time. The table takes memory in proportion to the names, also for a name with many folders.
///
/// Two names may have the same hash value, so a conflict that the table finds has to be confirmed.
struct FileNameTable {
  /// The number of files with each hash value.
  private var files: [Int: Int] = [:]
  /// The number of files in the folders with each hash value, also in folders inside these.
  private var folders: [Int: Int] = [:]

  /// Returns true if a file may have the name of a folder, or if a folder around it may have the name of a file.
  func mayConflict(_ name: String) -> Bool {
    var isFolderAFile = false
    let hash = Self.hash(of: name) { folder in isFolderAFile = isFolderAFile || files[folder] != nil }
    return isFolderAFile || folders[hash] != nil
  }

  /// Adds the name of a file. A name with a slash at its end adds a folder.
  mutating func add(_ name: String) {
    let hash = Self.hash(of: name) { folders[$0, default: 0] += 1 }
    files[hash, default: 0] += 1
  }

  /// Removes the name of a file.
  mutating func remove(_ name: String) {
    let hash = Self.hash(of: name) { Self.removeOne($0, from: &folders) }
    Self.removeOne(hash, from: &files)
  }

  private static func removeOne(_ hash: Int, from counts: inout [Int: Int]) {
    guard let count = counts[hash] else { return }
    counts[hash] = count > 1 ? count - 1 : nil
  }

  /// Returns the hash value of a name.
  ///
  /// - Parameter folder: Receives the hash value of each folder in the name, the outermost first.
  private static func hash(of name: String, _ folder: (Int) -> Void) -> Int {
    var hasher = Hasher()
    for byte in name.utf8 {
      if byte == UInt8(ascii: "/") {
        let outer = hasher
        folder(outer.finalize())
      }
      hasher.combine(byte)
    }
    return hasher.finalize()
  }
}
