/// What processes that were killed have left beside documents: temporary files that nobody will put in their place.
///
/// They harm nobody, and are removed by the first save of a document nearby. Safe to remove is what has a temporary file's
/// name, is locked by nobody (whoever writes one holds its lock, and a process that dies lets go of it), and has not been
/// touched for a minute.
enum Leftovers {
  private static let age = 60

  /// Removes what is left in a folder; what cannot be removed stays.
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
