/// The task, or the thread outside of tasks, that holds a lock.
enum LockHolder: Hashable {
  /// A task, by the hash of its identity, which a later task may have after this one has ended. A thread runs many tasks in turn.
  case task(Int)
  case thread(Int)

  /// The task or thread that runs now.
  static var current: LockHolder {
    unsafe withUnsafeCurrentTask { task in
      if let task = unsafe task { unsafe .task(task.hashValue) } else { .thread(SystemThread.currentID) }
    }
  }
}
