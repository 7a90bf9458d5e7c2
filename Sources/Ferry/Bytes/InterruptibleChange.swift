internal import Synchronization

/// A change of a file in place, which is undone if a signal ends the process meanwhile.
protocol InterruptibleChange: AnyObject, Sendable {
  /// Undoes the change unless it is complete. No other thread can continue it afterward.
  func undo()
}

/// The changes of files in place that are not complete.
enum OpenChanges {
  private static let changes = Mutex<[ObjectIdentifier: any InterruptibleChange]>([:])

  static func add(_ change: any InterruptibleChange) {
    changes.withLock { $0[ObjectIdentifier(change)] = change }
  }

  static func remove(_ change: any InterruptibleChange) {
    changes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(change)) }
  }

  /// Undoes all changes, in a process that ends.
  static func undoAll() {
    changes.withLock { changes in
      for change in changes.values { change.undo() }
    }
  }
}
