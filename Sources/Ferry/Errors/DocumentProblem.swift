/// A problem in opening or saving a document.
public enum DocumentProblem: Hashable, Sendable {
  /// The document does not exist.
  case notFound
  /// Another writer has changed the document since it was opened or saved here.
  case changedByAnother
  /// The document was opened or saved here, but no longer exists.
  case removed
  /// The document was opened or saved here, but is at another path now.
  case moved
  /// An operation requires an open document.
  case notOpen
  /// The document was changed before it was opened, and opening it would discard the changes.
  case unsavedChanges
  /// The document kept changing while it was being read.
  case changesWhileRead
  /// The lock of the folder did not become free, because another program holds it.
  case busy
  /// The lock of the folder did not become free, because this process holds it itself: in an ``InPlaceEdit`` that has not ended, or while
  /// it saves a document.
  case lockedHere
  /// An edit in place was used after its end: it had replaced the file, or was ended.
  case editEnded
  /// The document's class does not define its contents.
  case noContents
  /// The path is that of a device or a pipe, not of a document.
  case neitherFileNorFolder
  /// Contents that are invalid for the type of document.
  case badContents(String)
  /// A record of another class than the type of document requires.
  case otherRecords(type: String, className: String, found: String)
  /// An edit that makes the document unreadable as its type, with the class of its records.
  case editedRecords(type: String, className: String, why: String)
  /// An edit after which a record of a package names a file that the package cannot contain or does not have.
  case editedFiles(type: String, why: String)
  /// An edit or a merge that makes an object which programs could not read, with the reason.
  case unreadableObject(ObjectFlaw)
  /// An edit after which the file is of another format, with the nouns of both formats.
  case editedFormat(before: String, after: String)
  /// A name for a copy of a document, with the extension of another kind of document.
  case otherKind(extensionOf: String, document: String)
  /// A version of a merge in a format that loses a value which its base has.
  case losesBase(format: String, Loss.Kind)
  /// A base or another version of a merge in a format that has only text, while our version has other values.
  case losesOurs(format: String, Loss.Kind)
  /// A merge of archives whose entries beside the objects cannot be put into the merged file.
  case archiveEntries
  /// A change of an archive after which its text, in a format with this noun, cannot hold a value.
  case notDescribed(format: String)
  /// A merge of archives of which one has several roots where another has one with these keys.
  case archiveRoots
}

extension DocumentProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .notFound: "no document has this name"
    case .changedByAnother: "another program has changed the document since it was opened or saved here"
    case .removed: "the document has been removed since it was opened or saved here"
    case .moved: "the document has been moved or renamed since it was opened or saved here"
    case .notOpen: "the document is not open"
    case .unsavedChanges:
      "the document was changed before it was opened (save it, or close it and discard the changes)"
    case .changesWhileRead: "the document keeps changing while it is read (try again)"
    case .busy: "another program has locked the folder (try again when it has ended)"
    case .lockedHere:
      "this program has locked the folder itself, for an edit in place that has not ended (end it first)"
    case .editEnded:
      "the edit in place has ended, because it has replaced the file or was ended (begin another one)"
    case .noContents: "the document's class does not define its contents"
    case .neitherFileNorFolder: "this is neither a file nor a folder"
    case .badContents(let why): why
    case .otherRecords(let type, let className, let found):
      "a \(type) document holds a list of objects of the class \(className), found \(found)"
    case .editedRecords(let type, let className, let why):
      "after this edit the file is not a \(type) document, which holds objects of the class \(className): \(why)"
    case .editedFiles(let type, let why):
      "after this edit the package is not a \(type) document: \(why)"
    case .unreadableObject(let flaw): "programs could not read an object of the result: \(flaw)"
    case .editedFormat(let before, let after):
      "after this edit the file is \(after), and was \(before)"
    case .otherKind(let other, let document):
      "the extension is for \(other), but the document stays \(document)"
    case .losesBase(let format, let kind):
      "this version is \(format), which changes values of the base: \(kind.message)"
    case .losesOurs(let format, let kind):
      "this version is \(format), which changes values of our version: \(kind.message)"
    case .archiveEntries: "the merged entry beside the objects of the archive cannot be put into this file"
    case .notDescribed(let format):
      "the raw form in \(format) cannot hold a value of the result"
    case .archiveRoots:
      "the roots of the archive ($top) have been changed, and cannot be merged with the other changes"
    }
  }
}

extension DocumentProblem {
  /// True if the contents of a document are at fault.
  var isAboutData: Bool {
    switch self {
    case .badContents, .otherRecords, .editedRecords, .editedFiles, .unreadableObject, .losesBase, .losesOurs,
      .archiveEntries,
      .notDescribed, .archiveRoots:
      true
    default: false
    }
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .notFound: "not-found"
    case .changedByAnother: "changed-by-another"
    case .removed: "removed"
    case .moved: "moved"
    case .notOpen: "not-open"
    case .unsavedChanges: "unsaved-changes"
    case .changesWhileRead: "changes-while-read"
    case .busy: "busy"
    case .lockedHere: "locked-here"
    case .editEnded: "edit-ended"
    case .noContents: "no-contents"
    case .neitherFileNorFolder: "neither-file-nor-folder"
    case .badContents: "bad-contents"
    case .otherRecords: "other-records"
    case .editedRecords: "edited-records"
    case .editedFiles: "edited-files"
    case .unreadableObject: "unreadable-object"
    case .editedFormat: "edited-format"
    case .otherKind: "other-kind"
    case .losesBase: "loses-base"
    case .losesOurs: "loses-ours"
    case .archiveEntries: "archive-entries"
    case .notDescribed: "not-described"
    case .archiveRoots: "archive-roots"
    }
  }
}
