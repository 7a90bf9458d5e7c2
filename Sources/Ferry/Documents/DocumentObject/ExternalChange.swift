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
