import Ferry
import Synchronization

/// The standard input of a run, if it was opened before the conversions. The first conversion that reads it takes it.
final class OpenedStandardInput: Sendable {
  private let input: Mutex<FileInput?>

  init(_ input: sending FileInput?) { self.input = Mutex(input) }

  /// Returns the input, or nil if it was not opened or has been taken.
  func take() -> FileInput? { input.withLock { $0.take() } }
}
