/// How a document is at the moment; nothing of this, and it is `normal`.
public struct DocumentState: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  /// The states whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Open, and all is well.
  public static let normal: DocumentState = []
  /// Not opened yet, or closed again.
  public static let closed = DocumentState(rawValue: 1)
  /// Somebody else has written the document, and here it has changes too. `resolveConflict(keeping:)` ends it.
  public static let inConflict = DocumentState(rawValue: 2)
  /// The last save failed: `savingFailure` says why. The next that succeeds ends it.
  public static let savingError = DocumentState(rawValue: 4)
  /// The contents are about to be replaced or put away: what is changed now may be lost.
  public static let editingDisabled = DocumentState(rawValue: 8)
  /// The document is being read or written, and `progress` says how far.
  public static let progressAvailable = DocumentState(rawValue: 16)
}

extension DocumentState: CustomStringConvertible {
  /// `normal`, or what it is: `closed`, `inConflict + savingError`.
  public var description: String {
    let names = [
      (Self.closed, "closed"), (.inConflict, "inConflict"), (.savingError, "savingError"),
      (.editingDisabled, "editingDisabled"), (.progressAvailable, "progressAvailable"),
    ]
    return isEmpty ? "normal" : names.filter { contains($0.0) }.map(\.1).joined(separator: " + ")
  }
}

/// What a save does with the path that it is given.
public enum SaveOperation: Hashable, Sendable {
  /// Makes a document where there is none; what is there already is refused, and stays.
  case creating
  /// Replaces what is there.
  case overwriting
}

/// How the contents of a document have changed.
public enum ChangeKind: Hashable, Sendable {
  /// Something was done.
  case done
  /// What was done last was undone.
  case undone
  /// What was undone last was done again.
  case redone
  /// What is in memory is what is on disk, whatever was done before.
  case cleared
}

/// What `checkForExternalChange()` found.
public enum ExternalChange: Hashable, Sendable {
  /// The document is as it was left here.
  case none
  /// Somebody else wrote it, and the new contents have been loaded.
  case reloaded
  /// Somebody else wrote it, and there are changes here: it is `inConflict` now.
  case conflict
  /// It is no longer there.
  case removed
  /// It is there under another name.
  case moved
}

/// Which of two versions a conflict ends with.
public enum ConflictWinner: Hashable, Sendable {
  /// What is in memory here, which replaces theirs.
  case ours
  /// What is on disk, which is loaded; the changes here are gone.
  case theirs
}
