/// The leftovers of killed processes beside documents: temporary files that will never replace a document.
///
/// Leftovers are harmless, and the first save of a document nearby removes them. A file is safe to remove if
/// it has the name of a temporary file, is not locked (its writer holds a lock, which the system releases
/// when the process dies), and has not been touched for a minute.
enum Leftovers {
  private static let age = 60

  /// Removes the leftovers in a folder. Files that cannot be removed stay.
  static func remove(from folder: String) {
    guard let names = try? SystemPath.names(in: folder) else { return }
    let temporary = names.filter { SystemPath.isTemporary($0) }
    guard !temporary.isEmpty else { return }
    let now = FileStamp.Time.now
    for name in temporary {
      let path = "\(folder)/\(name)"
      guard let status = try? SystemPath.status(of: path, followingLinks: false), status.kind == .regular,
        status.stamp.modified.seconds + age < now.seconds,
        let file = try? SystemFile(reading: path), (try? file.lock()) == true
      else { continue }
      try? SystemPath.remove(path)
    }
  }
}
