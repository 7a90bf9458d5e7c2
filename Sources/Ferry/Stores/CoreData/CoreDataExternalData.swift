/// Data that Core Data may store in a file outside of the database. The first byte in the row indicates
/// which:
///
///     01 89 50 4E 47 …               the data follows the first byte
///     02 "E621E1F8-C36C-…" 00        the data is in the file with this name, in the folder
///                                    .People_SUPPORT/_EXTERNAL_DATA next to People.storedata
///
/// A file is read only if its name is a UUID. Symbolic links are not followed.
struct CoreDataExternalData {
  private static let inlineMark: UInt8 = 1
  private static let fileMark: UInt8 = 2

  /// The folders on the path to the files, none of which may be a link, or nil if the store is not in a file.
  private let folders: [String]
  private let budget: Budget

  /// Creates access to the external files of the store at a path.
  init(besideStoreAt path: String?, budget: Budget) {
    self.budget = budget
    guard let path else {
      folders = []
      return
    }
    let name = path.namesInPath.last.map(String.init) ?? path
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let support = SystemPath.sibling(of: path, named: ".\(stem)_SUPPORT")
    folders = [support, "\(support)/_EXTERNAL_DATA"]
  }

  /// The storage of the data.
  enum Storage {
    /// In the row, beginning at this byte offset.
    case row(offset: Int)
    case file(String)
  }

  /// Returns the storage of data from the bytes in its row.
  ///
  /// - Parameter isExternal: True if the first byte always indicates the storage.
  static func storage(_ bytes: Span<UInt8>, isExternal: Bool) -> Storage {
    if bytes.count == 38, bytes[0] == fileMark, bytes[37] == 0,
      UUIDText.bytes(bytes.extracting(1..<37)) != nil
    {
      return .file(bytes.extracting(1..<37).decodedString)
    }
    return .row(offset: isExternal && bytes.count > 0 && bytes[0] == inlineMark ? 1 : 0)
  }

  /// Returns the data in an external file, or nil if there is no such file.
  func contents(ofFile name: String) throws(FerryError) -> [UInt8]? {
    for folder in folders {
      guard try SystemPath.status(of: folder, followingLinks: false)?.kind == .directory else { return nil }
    }
    guard let folder = folders.last,
      let status = try SystemPath.status(of: "\(folder)/\(name)", followingLinks: false),
      status.kind == .regular
    else { return nil }
    guard status.size <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    return try SystemFile(readingNoLink: "\(folder)/\(name)").read(upTo: status.size)
  }

  /// Returns data in the form for a column that may also refer to a file. Returns nil if the data itself
  /// would look like such a reference.
  static func inline(_ data: Span<UInt8>) -> [UInt8]? {
    if case .file = storage(data, isExternal: true) { return nil }
    var bytes = [inlineMark]
    bytes.append(copying: data)
    return bytes
  }
}
