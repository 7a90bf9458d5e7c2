/// A picture of 8 × 8 dots (`.tinypix`): eight bytes, one for each row from the top; bit n is the dot in
/// column n.
///
///     let picture = PictureDocument(path: "smile.tinypix")
///     await picture.edit { $0[2, 1] = true }
///     try await picture.save(to: "smile.tinypix", for: .creating)      // 00 00 02 00 00 00 00 00
public final class PictureDocument: Document {
  /// The number of rows, and of columns.
  public nonisolated static let size = 8

  private var rows = [UInt8](repeating: 0, count: size)

  /// Creates a document at a path, with an empty picture. `open` reads the file.
  public nonisolated convenience init(path: String, autosaving: Autosaving = .after(.seconds(2))) {
    self.init(path: path, type: .picture, autosaving: autosaving)
  }

  /// True if the pixel is set. Rows and columns are counted from 0, from the top left.
  ///
  /// - Precondition: The picture has the row and the column.
  public subscript(row: Int, column: Int) -> Bool {
    get { rows[row] & Self.bit(column) != 0 }
    set { rows[row] = newValue ? rows[row] | Self.bit(column) : rows[row] & ~Self.bit(column) }
  }

  private static func bit(_ column: Int) -> UInt8 {
    precondition((0..<size).contains(column), "a picture has no such column")
    return 1 << UInt8(column)
  }

  public override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    .file(rows)
  }

  public override func load(fromContents contents: DocumentContents, ofType type: DocumentType)
    throws(FerryError)
  {
    rows = try TinyPicture(tinyPix: contents.file).tinyPix
  }
}
