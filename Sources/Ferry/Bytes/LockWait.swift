internal import Synchronization

/// Reports of locks for which the process waits so long that a program tells its user.
package enum LockWait {
  private struct State {
    var body: (@Sendable (String) -> Void)?
    /// The paths of the reported folders in UTF-8.
    var reported: Set<[UInt8]> = []
    var ownUses: [Folder: OwnUse] = [:]
    /// The holders of the locks that the process has now.
    var holders: [Folder: LockHolder] = [:]
  }

  private struct Folder: Hashable {
    let device, inode: UInt64

    init(_ stamp: FileStamp) { (device, inode) = (stamp.device, stamp.inode) }
  }

  /// The use of a folder's lock by this process.
  struct OwnUse: Equatable {
    var isHeld = false
    /// The number of times that the process has taken the lock.
    var takings = 0
  }

  private static let state = Mutex(State())

  /// Calls a function with the path of each folder for whose lock the process has waited for a second, once. During this second, no other
  /// thread of the process has had the lock.
  package static func reportFolders(by body: @escaping @Sendable (_ folder: String) -> Void) {
    state.withLock { $0.body = body }
  }

  /// Notes that the process has taken the lock of a folder.
  static func noteTaking(_ folder: FileStamp) {
    state.withLock { state in
      state.holders[Folder(folder)] = .current
      guard state.body != nil else { return }
      let takings = state.ownUses[Folder(folder)]?.takings ?? 0
      state.ownUses[Folder(folder)] = OwnUse(isHeld: true, takings: takings + 1)
    }
  }

  /// Notes that the process releases the lock of a folder.
  static func noteRelease(_ folder: FileStamp) {
    state.withLock { state in
      state.holders[Folder(folder)] = nil
      state.ownUses[Folder(folder)]?.isHeld = false
    }
  }

  /// Returns true if this process has the lock of a folder.
  static func isHeldHere(_ folder: FileStamp) -> Bool {
    state.withLock { $0.holders[Folder(folder)] != nil }
  }

  /// Returns true if the calling task or thread has taken the lock of a folder, and would wait for itself.
  static func isHeldByCaller(_ folder: FileStamp) -> Bool {
    state.withLock { $0.holders[Folder(folder)] == .current }
  }

  /// Returns the use of a folder's lock by this process.
  static func ownUse(of folder: FileStamp) -> OwnUse {
    state.withLock { $0.ownUses[Folder(folder)] ?? OwnUse() }
  }

  /// Reports a folder, unless it has been reported.
  static func report(_ folder: String) {
    let body = state.withLock { $0.reported.insert(Array(folder.utf8)).inserted ? $0.body : nil }
    body?(folder)
  }
}
