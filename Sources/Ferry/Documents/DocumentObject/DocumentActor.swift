/// The actor of all documents, which serializes access to their contents in the background.
///
/// A subclass of `Document` is isolated to this actor without an annotation. Code elsewhere, including the
/// main actor, uses `await` to access its properties and methods.
@globalActor
public actor DocumentActor {
  /// The shared instance, to which all documents are isolated.
  public static let shared = DocumentActor()
}

/// Runs work that blocks, such as file access, outside of every actor. The work continues if the calling task
/// is cancelled, because half a save is useless.
func inBackground<Result: Sendable>(
  _ work: @escaping @Sendable () async throws(FerryError) -> Result
) async throws(FerryError) -> Result {
  let task = Task.detached { () async -> Swift.Result<Result, FerryError> in
    do throws(FerryError) { return .success(try await work()) } catch { return .failure(error) }
  }
  return try await task.value.get()
}

/// A queue that runs one operation at a time, in the order of arrival, so that operations of one document
/// never overlap.
@DocumentActor
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated init() {}

  /// Waits for the turn. The caller must call `finish()` afterward.
  func begin() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Gives the turn to the next waiting operation.
  func finish() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
