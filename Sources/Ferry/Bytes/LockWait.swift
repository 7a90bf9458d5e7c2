internal import Synchronization

/// Reports of locks for which the process waits so long that a program tells its user.
package enum LockWait {
  private struct State {
    var body: (@Sendable (String) -> Void)?
    /// The paths of the reported folders in UTF-8.
    var reported: Set<[UInt8]> = []
  }

  private static let state = Mutex(State())

  /// Calls a function with the path of each folder for whose lock the process has waited for a second, once.
  package static func reportFolders(by body: @escaping @Sendable (_ folder: String) -> Void) {
    state.withLock { $0.body = body }
  }

  /// Reports a folder, unless it has been reported.
  static func report(_ folder: String) {
    let body = state.withLock { $0.reported.insert(Array(folder.utf8)).inserted ? $0.body : nil }
    body?(folder)
  }
}
