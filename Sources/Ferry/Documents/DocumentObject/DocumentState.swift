/// The state of a document; `normal` if no option is set.
public struct DocumentState: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  /// Creates a state from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The document is open and without problems.
  public static let normal: DocumentState = []
  /// The document was not opened yet, or closed again.
  public static let closed = DocumentState(rawValue: 1)
  /// Another writer has changed the document, and it has unsaved changes here too.
  /// `resolveConflict(keeping:)` ends this state.
  public static let inConflict = DocumentState(rawValue: 2)
  /// The last save failed; `savingError` is the error. The next successful save ends this state.
  public static let savingError = DocumentState(rawValue: 4)
  /// The contents are about to be replaced or released, so changes may be lost.
  public static let editingDisabled = DocumentState(rawValue: 8)
  /// The document is being read or written; `progress` has the progress.
  public static let progressAvailable = DocumentState(rawValue: 16)
}

extension DocumentState: CustomStringConvertible {
  /// `normal`, or the options that are set: `closed`, `inConflict + savingError`.
  public var description: String {
    let names = [
      (Self.closed, "closed"), (.inConflict, "inConflict"), (.savingError, "savingError"),
      (.editingDisabled, "editingDisabled"), (.progressAvailable, "progressAvailable"),
    ]
    return isEmpty ? "normal" : names.filter { contains($0.0) }.map(\.1).joined(separator: " + ")
  }
}

/// The treatment of a file that exists at the path of a save.
public enum SaveOperation: Hashable, Sendable {
  /// Creates the document; throws if the path is taken, and leaves the existing file unchanged.
  case creating
  /// Replaces an existing file.
  case overwriting
}

/// A kind of change to the contents of a document.
public enum ChangeKind: Hashable, Sendable {
  /// A new change.
  case done
  /// The undo of the last change.
  case undone
  /// The redo of the last undone change.
  case redone
  /// The contents in memory equal those on disk, whatever changes were made before.
  case cleared
}

/// The result of `checkForExternalChange()`.
public enum ExternalChange: Hashable, Sendable {
  /// The document is in the version that was last opened or saved here.
  case none
  /// Another process has changed the document, and the new contents have been loaded.
  case reloaded
  /// Another process has changed the document, and it has unsaved changes here: it is `inConflict` now.
  case conflict
  /// The document no longer exists.
  case removed
  /// The document has another name now.
  case moved
}

/// The version that is kept at the end of a conflict.
public enum ConflictWinner: Hashable, Sendable {
  /// The version in memory, which replaces theirs.
  case ours
  /// The version on disk, which is loaded; the changes in memory are discarded.
  case theirs
}
