/// A document as an object: opened, changed, saved by itself after a while, and safe from whoever else writes it.
///
///     final class NoteDocument: Document {
///       var text = ""
///
///       override func contents(forType type: DocumentType) throws(Failure) -> DocumentContents {
///         .file(Array(text.utf8))
///       }
///
///       override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(Failure) {
///         text = String(decoding: try contents.file, as: UTF8.self)
///       }
///     }
///
///     let note = NoteDocument(path: "note.txt", type: .text)
///     try await note.open()
///     await note.edit { $0.text += "Buy milk.\n" }      // saved after a quiet time
///     try await note.close()                            // or now
///
/// **Whose thread?** A class, because documents are made by inheriting from one, and an actor cannot be inherited from. The
/// class is of the global actor `DocumentActor`, and so is every class that inherits from it, without a word: the compiler
/// sees to it that what a document holds is touched by one task at a time, from the main actor by `await`, which never waits
/// for a disk. `contents(forType:)` and `load(fromContents:ofType:)` run there, in one step with the changes: what is saved
/// is never half of a change. Reading and writing files runs elsewhere, in the background, so that documents do not wait for
/// each other's disks, and a document can be changed while it is saved.
///
/// **What is promised.** A save puts the whole document in its place or leaves the old one as it is: when it fails, and when
/// the process is killed. Two saves of one document never run at once. Changes made during a save stay unsaved. Whoever else
/// has written the document since it was opened or saved here is noticed before anything is replaced, by file identity, by
/// contents where times do not tell, and under a lock of the folder that all documents take. Who does not take it and comes
/// in between is noticed when the two files have been exchanged, which is undone then. The save fails with
/// `DocumentProblem.changedByAnother`, the state is `inConflict`, theirs is on disk and ours in memory until
/// `resolveConflict(keeping:)`.
@DocumentActor
open class Document {
  /// What kind of document it is.
  public nonisolated let fileType: DocumentType
  /// When changes are saved without being asked for.
  public nonisolated let autosaving: Autosaving
  /// Where it is. A save to another path takes it there.
  public internal(set) var path: String
  /// How it is. `closed` at first.
  public internal(set) var state: DocumentState = .closed {
    didSet { if state != oldValue { tell(.state(from: oldValue, to: state)) } }
  }
  /// When the file that was opened or saved last was written, in seconds since 2001, as
  /// `Date(timeIntervalSinceReferenceDate:)` takes them; nil when there is none.
  public var fileModificationDate: Double? { version?.modified.sinceReferenceDate }
  /// Why the last save failed; nil when it did not.
  public internal(set) var savingFailure: Failure?
  /// How far the reading or writing that goes on is; nil when there is none.
  public internal(set) var progress: DocumentProgress?
  /// Who hears of what happens; not kept alive by the document. From elsewhere it is set by `setDelegate`.
  public weak var delegate: (any DocumentDelegate)?

  /// What is on disk as far as we know: what was opened or saved last. Nil before that.
  var version: DocumentVersion?
  /// Somebody else's version, when it was found to be in conflict with ours.
  var theirs: DocumentVersion?
  /// Whether the document has been found to be gone from its path.
  var isMissing = false
  /// Whether it has been closed after having been open.
  var wasClosed = false
  var history = ChangeHistory()
  let turns = Turns()
  /// The save that has not begun yet, which all join who ask for one meanwhile.
  var waitingSave: Task<Result<Void, Failure>, Never>?
  var events: [(any DocumentDelegate, DocumentEvent)] = []
  var isTelling = false

  var autosaver: Task<Void, Never>?
  /// When nothing will have changed for the quiet time, if nothing changes.
  var quietTill = Duration.zero
  /// When the first unsaved change will have waited for the longest time.
  var atLatest: Duration?
  /// When a save that failed is tried again.
  var retryTime = Duration.zero

  /// A document that is, or will be, at a path. Nothing is read yet.
  public nonisolated init(path: String, type: DocumentType, autosaving: Autosaving = .after(.seconds(2))) {
    self.path = path
    fileType = type
    self.autosaving = autosaving
  }

  /// Says who hears of what happens from now on.
  ///
  ///     await document.setDelegate(list)
  public func setDelegate(_ delegate: (any DocumentDelegate)?) { self.delegate = delegate }

  /// What is to be saved: called at the beginning of each save, to be overridden.
  ///
  /// Throws what keeps the document from being saved; then the file stays as it is.
  open func contents(forType type: DocumentType) throws(Failure) -> DocumentContents {
    throw Failure(.document(.noContents))
  }

  /// Takes what was read: called when the document is opened or read again, to be overridden.
  ///
  /// Throws what is wrong with the contents; then the document should be as it was before.
  open func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(Failure) {
    throw Failure(.document(.noContents))
  }

  /// Hears of each save that succeeded, to be overridden by documents that are packages, whose files are where `contents` is
  /// now. What was changed meanwhile is not in there:
  ///
  ///     override func didSave(_ contents: DocumentContents) {
  ///       if case .package(let saved) = contents { package.rebase(onto: saved) }
  ///     }
  open func didSave(_ contents: DocumentContents) {}

  /// Whether there are changes that are not on disk.
  public var hasUnsavedChanges: Bool { history.hasChanges }

  /// Tells the document that its contents have changed. `edit` does it by itself.
  public func updateChangeCount(_ change: ChangeKind) {
    history.count(change)
    if history.hasChanges { scheduleAutosave() } else { stopAutosaving() }
  }
}

/// What documents share that speaks of their own class.
@DocumentActor
public protocol EditableDocument: AnyObject {
  /// Tells the document that its contents have changed.
  func updateChangeCount(_ change: ChangeKind)
}

extension Document: EditableDocument {}

extension EditableDocument {
  /// Changes the document in one step, which is counted as a change and saved as a whole.
  ///
  ///     await document.edit { $0.people.append(Person(first: "Ada", last: "Lovelace")) }
  ///
  /// When the closure throws, that counts too: it may have changed something before.
  public func edit<Result: Sendable, Problem: Error>(
    _ change: @DocumentActor @Sendable (Self) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    defer { updateChangeCount(.done) }
    return try change(self)
  }
}

extension DocumentContents {
  /// The bytes, of a document that is one file.
  ///
  /// Throws `FileProblem.isDirectory` of a package.
  public var file: [UInt8] {
    get throws(Failure) {
      guard case .file(let bytes) = self else { throw Failure(.file(.isDirectory)) }
      return bytes
    }
  }

  /// The package, of a document that is one.
  ///
  /// Throws `FileProblem.notADirectory` of a file.
  public var package: Package {
    get throws(Failure) {
      guard case .package(let package) = self else { throw Failure(.file(.notADirectory)) }
      return package
    }
  }
}
