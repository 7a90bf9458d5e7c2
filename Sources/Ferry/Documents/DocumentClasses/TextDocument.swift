/// A text document (`.txt`), in UTF-8.
///
///     let note = TextDocument(path: "note.txt")
///     try await note.open()
///     await note.edit { $0.text += "Buy milk.\n" }
///     try await note.save()
public final class TextDocument: Document {
  /// The text of the file, unchanged: line ends and a byte order mark included.
  public var text = ""

  /// Creates a document at a path without reading it. `open` reads it.
  public nonisolated convenience init(path: String, autosaving: Autosaving = .after(.seconds(2))) {
    self.init(path: path, type: .text, autosaving: autosaving)
  }

  public override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    .file(Array(text.utf8))
  }

  public override func load(fromContents contents: DocumentContents, ofType type: DocumentType)
    throws(FerryError)
  {
    let bytes = try contents.file
    if case .invalid(let offset) = bytes.span.checkUTF8() {
      throw FerryError(.content(.notUTF8), at: LineCounter().location(of: offset, in: bytes.span))
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
