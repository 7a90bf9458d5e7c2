/// A problem in opening or saving a document.
public enum DocumentProblem: Hashable, Sendable {
  /// The document does not exist.
  case notFound
  /// Another writer has changed the document since it was opened or saved here.
  case changedByAnother
  /// The document was opened or saved here, and no longer exists.
  case removed
  /// The document was opened or saved here, and has another name now.
  case moved
  /// An operation that needs an open document.
  case notOpen
  /// The document kept changing while it was read.
  case changesWhileRead
  /// The folder's lock did not become free, because other documents are being saved.
  case busy
  /// The document's class does not define its contents.
  case noContents
  /// The path leads to a device or a pipe, which is not a document.
  case neitherFileNorFolder
  /// Contents that are not valid for the document's type.
  case badContents(String)
  /// A record of a class that documents of the type do not contain.
  case otherRecords(type: String, className: String, found: String)
  /// An edit after which the document could not be read as its type; the class of its records.
  case editedRecords(type: String, className: String, why: String)
  /// An edit after which a record of a package names a file that the package cannot contain or does not have.
  case editedFiles(type: String, why: String)
  /// A name for a copy of a document, with the extension of another kind of document.
  case otherKind(extensionOf: String, document: String)
}

extension DocumentProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
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
    case .otherRecords(let type, let className, let found):
      "a \(type) document holds objects of the class \(className), found \(found) "
        + "(use --to archive -o x.archive for other objects)"
    case .editedRecords(let type, let className, let why):
      "after this edit the file is not a \(type) document, which holds objects of the class \(className): \(why) "
        + "(--force writes it anyway)"
    case .editedFiles(let type, let why):
      "after this edit the package is not a \(type) document: \(why) (--force writes it anyway)"
    case .otherKind(let other, let document):
      "the extension is that of \(other), but the document stays \(document) (use ferry convert to convert it)"
    }
  }
}

extension DocumentProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .notFound: "not-found"
    case .changedByAnother: "changed-by-another"
    case .removed: "removed"
    case .moved: "moved"
    case .notOpen: "not-open"
    case .changesWhileRead: "changes-while-read"
    case .busy: "busy"
    case .noContents: "no-contents"
    case .neitherFileNorFolder: "neither-file-nor-folder"
    case .badContents: "bad-contents"
    case .otherRecords: "other-records"
    case .editedRecords: "edited-records"
    case .editedFiles: "edited-files"
    case .otherKind: "other-kind"
    }
  }
}
