/// What keeps a document from being opened or saved.
public enum DocumentProblem: Hashable, Sendable {
  /// Nothing is there to be opened.
  case notFound
  /// Somebody else has written the document since it was opened or saved here.
  case changedByAnother
  /// The document was opened or saved here, and is no longer there.
  case removed
  /// The document was opened or saved here, and has another name now.
  case moved
  /// Something that only an open document can do.
  case notOpen
  /// Somebody writes the document, again and again, while it is read.
  case changesWhileRead
  /// Other documents of the folder are being saved, and that does not end.
  case busy
  /// A document with nothing to save: its class does not say what its contents are.
  case noContents
  /// A device or a pipe is there, which is no document.
  case neitherFileNorFolder
  /// Contents that are none of the document's type.
  case badContents(String)
}

extension DocumentProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .notFound: "there is no document of this name"
    case .changedByAnother: "another program has changed the document since it was opened or saved here"
    case .removed: "the document has been removed since it was opened or saved here"
    case .moved: "the document has been moved or renamed since it was opened or saved here"
    case .notOpen: "the document is not open"
    case .changesWhileRead: "the document changes all the time while it is read"
    case .busy: "other documents of the folder are being saved without end"
    case .noContents: "the document's class does not say what its contents are"
    case .neitherFileNorFolder: "this is neither a file nor a folder"
    case .badContents(let why): why
    }
  }
}
