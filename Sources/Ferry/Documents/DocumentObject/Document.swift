/// A document as an object, which the app opens and changes. It saves itself automatically, and protects the
/// file from lost updates by other writers.
///
///     final class NoteDocument: Document {
///       var text = ""
///
///       override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
///         .file(Array(text.utf8))
///       }
///
///       override func load(fromContents contents: DocumentContents, ofType type: DocumentType)
///         throws(FerryError)
///       {
///         text = String(decoding: try contents.file, as: UTF8.self)
///       }
///     }
///
///     let note = NoteDocument(path: "note.txt", type: .text)
///     try await note.open()
///     await note.edit { $0.text += "Buy milk.\n" }      // saved after a quiet time
///     try await note.close()                            // saves what is still unsaved
///
/// **Isolation.** `Document` is a class because apps define documents by inheriting from it, and an actor has
/// no subclasses. The class is isolated to the global actor `DocumentActor`; subclasses inherit this
/// isolation without an annotation. The compiler ensures that one task at a time accesses a document's
/// contents. The main actor uses `await`, and never waits for a disk. `contents(forType:)` and
/// `load(fromContents:ofType:)` run on the actor and never during an edit, so a save never contains half of
/// an edit. Files are read and written in the background: documents do not wait for each other's disks, and a
/// document can change while it is saved.
///
/// **Guarantees.** A save replaces the whole document or leaves the old version unchanged, even if it fails
/// or the process is killed. Two saves of one document never run at the same time. Changes made during a save
/// stay unsaved.
///
/// Before replacing a file, Ferry checks whether another writer has changed it since it was opened or saved
/// here. The check compares the file's identity, and its contents if the time stamps are inconclusive, under
/// a lock of the folder that all documents take. If another writer ignores the lock and replaces the file
/// during the save, Ferry detects it after exchanging the two files and exchanges them back. The save then
/// fails with `DocumentProblem.changedByAnother` and the state becomes `inConflict`: theirs is on disk and
/// ours in memory until `resolveConflict(keeping:)`.
@DocumentActor
open class Document {
  /// The type of the document.
  public nonisolated let fileType: DocumentType
  /// The policy for automatic saves.
  public nonisolated let autosaving: Autosaving
  /// The path of the document. A save to another path changes it.
  public internal(set) var path: String
  /// The state of the document, initially `closed`.
  public internal(set) var state: DocumentState = .closed {
    didSet { if state != oldValue { tell(.state(from: oldValue, to: state)) } }
  }
  /// The modification date of the file that was last opened or saved, in seconds since 2001 as in
  /// `Date(timeIntervalSinceReferenceDate:)`. Nil if there is no such file.
  public var fileModificationDate: Double? { version?.modified.sinceReferenceDate }
  /// The error of the last save, or nil if it succeeded.
  public internal(set) var savingError: FerryError?
  /// The progress of the current read or write, or nil if there is none.
  public internal(set) var progress: DocumentProgress?
  /// The delegate, held weakly. Outside of the actor, set it with `setDelegate`.
  public weak var delegate: (any DocumentDelegate)?

  /// The version on disk that was last opened or saved here, or nil before the first.
  var version: DocumentVersion?
  /// Another writer's version that conflicts with ours.
  var theirs: DocumentVersion?
  /// True if no file was found at the document's path.
  var isMissing = false
  /// True if the document was open and has been closed.
  var wasClosed = false
  var history = ChangeHistory()
  let turns = Turns()
  /// The save that waits for its turn. All callers of `save` share it until it begins.
  var waitingSave: Task<Result<Void, FerryError>, Never>?
  var events: [(any DocumentDelegate, DocumentEvent)] = []
  var isTelling = false

  var autosaver: Task<Void, Never>?
  /// The time at which the quiet time ends if nothing else changes.
  var quietTill = Duration.zero
  /// The time by which the first unsaved change must be saved.
  var atLatest: Duration?
  /// The time of the next attempt after a failed save.
  var retryTime = Duration.zero

  /// Creates a document at a path, which may or may not exist, without reading it.
  ///
  /// - Parameters:
  ///   - path: The path of the document.
  ///   - type: The type of the document.
  ///   - autosaving: The policy for automatic saves.
  public nonisolated init(path: String, type: DocumentType, autosaving: Autosaving = .after(.seconds(2))) {
    self.path = path
    fileType = type
    self.autosaving = autosaving
  }

  /// Sets the delegate.
  ///
  ///     await document.setDelegate(list)
  public func setDelegate(_ delegate: (any DocumentDelegate)?) { self.delegate = delegate }

  /// Returns the contents to save. Subclasses override this method; it is called at the beginning of each
  /// save.
  ///
  /// - Throws: An error that prevents the save. The file stays unchanged in that case.
  open func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    throw FerryError(.document(.noContents))
  }

  /// Loads contents that were read from disk. Subclasses override this method; it is called when the document
  /// is opened or read again.
  ///
  /// - Throws: An error for invalid contents. The document must be unchanged in that case.
  open func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError) {
    throw FerryError(.document(.noContents))
  }

  /// Called after each successful save. A subclass whose document is a package overrides it to adopt the
  /// saved files. `contents` does not include changes made during the save:
  ///     override func didSave(_ contents: DocumentContents) {
  ///       if case .package(let saved) = contents { package.rebase(onto: saved) }
  ///     }
  open func didSave(_ contents: DocumentContents) {}

  /// True if the document has changes that are not on disk.
  public var hasUnsavedChanges: Bool { history.hasChanges }

  /// Records that the contents have changed. `edit` calls it automatically.
  public func updateChangeCount(_ change: ChangeKind) {
    history.count(change)
    if history.hasChanges { scheduleAutosave() } else { stopAutosaving() }
  }
}

/// The document methods whose signatures use the document's own class (`Self`).
@DocumentActor
public protocol EditableDocument: AnyObject {
  /// Records that the contents have changed.
  func updateChangeCount(_ change: ChangeKind)
}

extension Document: EditableDocument {}

extension EditableDocument {
  /// Changes the document in one step. The change counts as one, and no save contains a part of it.
  ///
  ///     await document.edit { $0.people.append(Person(first: "Ada", last: "Lovelace")) }
  ///
  /// A closure that throws counts as a change too, because it may have changed something first. The changes of a document that is not
  /// open are not saved automatically: `close()`, `save()` and `open(creatingIfMissing: true)` create a document that was never
  /// opened, and throw if that is not possible.
  public func edit<Result: Sendable, Problem: Error>(
    _ change: @DocumentActor @Sendable (Self) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    defer { updateChangeCount(.done) }
    return try change(self)
  }
}

extension DocumentContents {
  /// The bytes of a document that consists of one file.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.isDirectory` for a package.
  public var file: [UInt8] {
    get throws(FerryError) {
      guard case .file(let bytes) = self else { throw FerryError(.file(.isDirectory)) }
      return bytes
    }
  }

  /// The package of a document that is a package.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notADirectory` for a file.
  public var package: DocumentPackage {
    get throws(FerryError) {
      guard case .package(let package) = self else { throw FerryError(.file(.notADirectory)) }
      return package
    }
  }
}
