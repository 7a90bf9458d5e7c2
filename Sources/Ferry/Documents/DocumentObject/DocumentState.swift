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
