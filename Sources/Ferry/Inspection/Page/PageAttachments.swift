/// The files beside the one that a page shows, such as the images of a package. The page shows a file at each text that is its name.
package struct PageAttachments {
  /// The paths of the files from the package.
  let names: [String]
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
  ///   - contents: Returns the file that a text names; nil for any other text, and if the file cannot be read. A text such as `../x` names
  ///     no file of a package. A file of at most `limit` bytes has all of its contents.
  package init(_ names: [String], contents: @escaping (_ text: String, _ limit: Int) -> File?) {
    (self.names, self.contents) = (names, contents)
  }

  /// The maximum size of a text that is taken for a name, in bytes: the longest path of a file.
  private static let longestName = 4096

  /// Returns the file that a text names; nil for any other text.
  func file(named text: borrowing BorrowedText, atMost limit: Int) -> File? {
    text.utf8.count <= Self.longestName ? contents(String(text), limit) : nil
  }
}
