/// The state of a document; `normal` if no option is set.
public struct DocumentState: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  /// Creates a state from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The document is open and without problems.
  public static let normal: DocumentState = []
  /// The document has not been opened yet, or has been closed.
  public static let closed = DocumentState(rawValue: 1)
  /// Another writer has changed the document while it had unsaved changes here. Call
  /// `resolveConflict(keeping:)` to end the conflict.
  public static let inConflict = DocumentState(rawValue: 2)
  /// The last save failed; `savingError` is the error. The next successful save ends this state.
  public static let savingError = DocumentState(rawValue: 4)
  /// The contents are about to be replaced or released, so changes may be lost.
  public static let editingDisabled = DocumentState(rawValue: 8)
  /// The document is being read or written; see `progress`.
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
  /// Creates the document. Throws if the path is taken, and leaves the existing file unchanged.
  case creating
  /// Creates the document or replaces an existing file.
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
  /// A change after which the contents in memory equal those on disk.
  case cleared
}

/// The result of `checkForExternalChange()`.
public enum ExternalChange: Hashable, Sendable {
  /// None: the file is the version that was last opened or saved here.
  case none
  /// Another process has changed the document, and the new contents have been loaded.
  case reloaded
  /// Another process has changed the document, which has unsaved changes here. Its state is now `inConflict`.
  case conflict
  /// The document no longer exists.
  case removed
  /// The document is at another path now.
  case moved
}

/// The version that `resolveConflict(keeping:)` keeps.
public enum ConflictWinner: Hashable, Sendable {
  /// The version in memory, which replaces theirs.
  case ours
  /// The version on disk, which is loaded; the changes in memory are discarded.
  case theirs
}
