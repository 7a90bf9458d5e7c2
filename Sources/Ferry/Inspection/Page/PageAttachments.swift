/// The files beside the one that a page shows, such as the images of a package. The page shows a file at each text that is its name.
package struct PageAttachments {
  /// The paths of the files from the package.
  let names: [String]
  private let known: Set<ExactString>
  private let longestName: Int
  private let contents: (String, Int) -> File?

  /// The beginning of a file.
  package struct File {
    let byteCount: Int
    /// The contents of the file, or the first bytes of a large one.
    let bytes: [UInt8]

    /// Creates a file.
    package init(byteCount: Int, bytes: [UInt8]) { (self.byteCount, self.bytes) = (byteCount, bytes) }
  }

  /// Creates the attachments of a page.
  ///
  /// - Parameters:
  ///   - names: The paths of the files from the package.
  ///   - contents: Returns the file with one of the names; nil if it cannot be read. A file of at most `limit` bytes has all of its contents.
  package init(_ names: [String], contents: @escaping (_ name: String, _ limit: Int) -> File?) {
    (self.names, self.contents) = (names, contents)
    known = Set(names.map { ExactString($0) })
    longestName = names.map(\.utf8.count).max() ?? 0
  }

  /// Returns the file that a text names; nil for any other text.
  func file(named text: borrowing BorrowedText, atMost limit: Int) -> File? {
    guard text.utf8.count <= longestName else { return nil }
    let name = String(text)
    // A text with `..` is no name, so that no file outside of the package is read.
    return known.contains(ExactString(name)) ? contents(name, limit) : nil
  }
}
