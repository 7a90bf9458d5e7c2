import Dispatch
import Ferry
import Synchronization

/// The errors of the records in one input of a run, which are reported as soon as those of the inputs before it have been reported.
///
///     input 1   reported at once
///     input 2   held, because input 1 is still being converted; at the limit, its conversion waits
final class RecordErrors: Sendable {
  private enum Turn { case later, now, never }

  private struct State {
    var turn = Turn.later
    /// The errors before the turn of the input.
    var held: [FerryError] = []
    /// The number of errors in this reading of the input.
    var count = 0
    /// The number of errors that an earlier reading of the input has added.
    var knownCount = 0
    var mayWait = true
  }

  private let name: String
  private let errors: RunErrors
  private let state = Mutex(State())
  /// Signaled when a conversion that waits may go on.
  private let turnHasCome = DispatchSemaphore(value: 0)
  /// The maximum number of errors that are held, so that memory does not grow with their number.
  private static let mostHeld = 1000

  /// - Parameters:
  ///   - name: The input.
  ///   - errors: Receives the errors.
  init(of name: String, to errors: RunErrors) { (self.name, self.errors) = (name, errors) }

  /// Adds an error. Waits for the turn of the input if many errors are held.
  func add(_ error: FerryError) {
    let waits = state.withLock { state in
      state.count += 1
      guard state.count > state.knownCount else { return false }
      switch state.turn {
      case .later: state.held.append(error)
      case .now: errors.add(ofRecord: NamedError(name: name, error: error))
      case .never: break
      }
      return state.turn == .later && state.mayWait && state.held.count >= Self.mostHeld
    }
    if waits { turnHasCome.wait() }
  }

  /// Begins the turn of the input: reports the errors that are held, and later ones at once.
  func beginTurn() {
    state.withLock { state in
      for error in state.held { errors.add(ofRecord: NamedError(name: name, error: error)) }
      (state.held, state.turn) = ([], .now)
    }
    turnHasCome.signal()
  }

  /// Reports no more errors: the run ends before the turn of the input.
  func drop() {
    state.withLock { state in (state.held, state.turn) = ([], .never) }
    turnHasCome.signal()
  }

  /// Begins another reading of the same input, whose first errors are known.
  ///
  /// - Parameter mayWait: False if the conversion holds a lock for which that of an earlier input may wait.
  func readAgain(mayWait: Bool = true) {
    state.withLock { state in
      state.knownCount = max(state.knownCount, state.count)
      state.count = 0
      if !mayWait { state.mayWait = false }
    }
  }
}
