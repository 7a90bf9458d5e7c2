/// The actor of all documents: what they hold is read and changed one step after the other, in the background.
///
/// A class that inherits from `Document` is of this actor without saying so. From anywhere else, the main actor too, its
/// properties and methods are reached by `await`, and so nobody waits for a document but who wants to.
@globalActor
public actor DocumentActor {
  public static let shared = DocumentActor()
}

/// Does what speaks to the disk, or waits for others, away from every actor. It goes on when who asked is cancelled: half
/// a save is no save.
func inBackground<Result: Sendable>(
  _ work: @escaping @Sendable () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let task = Task.detached { () async -> Swift.Result<Result, Failure> in
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
  return try await task.value.get()
}

/// Who comes first is served first, and one at a time: a document is never opened, saved and closed at once.
@DocumentActor
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated init() {}

  /// Waits until it is our turn. `finish()` has to follow.
  func begin() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Gives the turn to the next.
  func finish() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
