import Ferry
import Foundation
import Synchronization
import TestSupport
import Testing

extension DocumentType {
  /// Text whose extension is nobody's.
  static let note = DocumentType(
    name: "note", identifier: "com.example.note", extensions: ["note"], layout: .file(.json))
}

/// A document as an app would write its own.
final class NoteDocument: Document {
  var text = ""
  /// The error that prevents a save.
  var refusal: FerryError?
  /// The number of calls of `contents(forType:)`.
  private(set) var snapshots = 0
  /// Something to do while a save is under way.
  var meanwhile: (@DocumentActor @Sendable (NoteDocument) -> Void)?

  nonisolated convenience init(_ path: String, autosaving: Autosaving = .off) {
    self.init(path: path, type: .note, autosaving: autosaving)
  }

  override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    snapshots += 1
    if let refusal { throw refusal }
    if let meanwhile {
      self.meanwhile = nil
      Task { meanwhile(self) }
    }
    return .file(Array(text.utf8))
  }

  override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError) {
    let text = String(decoding: try contents.file, as: UTF8.self)
    guard text != "damaged" else { throw FerryError(.document(.badContents("this is damaged"))) }
    self.text = text
  }

  func refuse(_ failure: FerryError?) { refusal = failure }
  func doMeanwhile(_ work: @escaping @DocumentActor @Sendable (NoteDocument) -> Void) { meanwhile = work }
}

/// A note on disk, opened.
func openNote(_ text: String = "old", autosaving: Autosaving = .off) async throws -> NoteDocument {
  try TemporaryDirectory.current.write("a.note", text)
  let note = NoteDocument(TemporaryDirectory.current.path("a.note"), autosaving: autosaving)
  try await note.open()
  return note
}

/// Returns the contents of the document on disk.
func noteOnDisk() throws -> String { try TemporaryDirectory.current.text("a.note") }

/// Keeps what it hears, on the main actor as a user interface would.
@MainActor final class Listener: DocumentDelegate {
  private(set) var heard: [String] = []

  @MainActor func documentDidLoad(_ document: Document) async { heard.append("loaded") }

  @MainActor func document(
    _ document: Document, didChangeStateFrom old: DocumentState, to new: DocumentState
  ) async { heard.append("\(new)") }

  @MainActor func document(_ document: Document, didFailToSave error: FerryError) async {
    heard.append("failed: \(error)")
  }
}

/// A clock whose hands are moved by the test.
final class TestClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (a: Instant, b: Instant) -> Bool { a.time < b.time }
  }

  private struct Sleeper {
    var end: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Hands {
    var now = Instant(time: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var count = 0
  }

  private let hands = Mutex(Hands())

  var now: Instant { hands.withLock(\.now) }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// The number of sleeping tasks.
  var sleepers: Int { hands.withLock(\.sleepers.count) }

  func sleep(until end: Instant, tolerance: Duration?) async throws {
    let number = hands.withLock { hands in
      hands.count += 1
      return hands.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = hands.withLock { hands in
          if hands.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if end <= hands.now { return .success(()) }
          hands.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = hands.withLock { hands in
        if hands.sleepers[number] == nil { hands.cancelled.insert(number) }
        return hands.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the hands, once somebody sleeps, and wakes those whose time has come.
  func advance(by time: Duration) async throws {
    #expect(try await eventually { sleepers > 0 }, "nobody waits for the time to pass")
    let woken = hands.withLock { hands in
      hands.now = hands.now.advanced(by: time)
      let due = hands.sleepers.filter { $0.value.end <= hands.now }
      for number in due.keys { hands.sleepers[number] = nil }
      return due.values
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
