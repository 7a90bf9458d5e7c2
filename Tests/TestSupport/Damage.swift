import Ferry
import Testing

/// Damage to a file: every prefix of it, and the file with every byte changed.
///
/// A damaged file is read or refused. An error of a refused file is one of Ferry's, has a message, and its source
/// location is inside the damaged file. The closure reads a damaged file, and expects more of the result if it can:
///
///     try Damage(to: bytes).check { bytes in
///       let value = try JSONTest.value(bytes)
///       #expect(try JSONTest.value(JSONTest.text(value)) == value)
///     }
public struct Damage: Sendable {
  /// A way to change a byte.
  public enum Change: Sendable {
    /// Flips the bits of each mask in turn.
    case flipping([UInt8])
    /// Replaces the byte with each of the bytes in turn, unless it is that byte.
    case replacing([UInt8])
  }

  /// The results that a test expects of damaged files.
  public enum Expectation: Sendable {
    /// Every file is refused.
    case refused
    /// Some files are refused, and others may be read.
    case readOrRefused
  }

  /// The error of a reader that has no error of its own, and returns nil for a file that it refuses.
  public struct Refusal: Error {
    /// Creates the error.
    public init() {}
  }

  private let file: [UInt8]
  private let lengths: [Int]
  private let offsets: [Int]
  private let change: Change

  /// Creates damage to a file that can be read: prefixes of all lengths, or of the given ones, and a change of
  /// every byte, or of the bytes at the given offsets.
  public init(
    to file: [UInt8], lengths: [Int]? = nil, offsets: [Int]? = nil,
    change: Change = .flipping([0x01, 0x80, 0xff])
  ) {
    self.file = file
    self.lengths = lengths ?? Array(file.indices)
    self.offsets = offsets ?? Array(file.indices)
    self.change = change
  }

  /// Reads the file, all of its prefixes, and the file with each byte changed, and returns the number of
  /// damaged files that were read and refused.
  @discardableResult public func check(
    prefixes: Expectation = .refused, changes: Expectation = .readOrRefused,
    sourceLocation: SourceLocation = #_sourceLocation, _ read: ([UInt8]) throws -> Void
  ) throws -> Tally {
    try read(file)
    var tally = Tally(prefixes: prefixes, changes: changes, sourceLocation: sourceLocation)
    for wound in wounds {
      let damaged = wound.damaged(file)
      tally.note(wound, damaged, Result { try read(damaged) })
    }
    tally.expectRefusals()
    return tally
  }

  /// Does the same as `check`, with an asynchronous reader.
  @discardableResult public func checkAsync(
    prefixes: Expectation = .refused, changes: Expectation = .readOrRefused,
    sourceLocation: SourceLocation = #_sourceLocation, _ read: ([UInt8]) async throws -> Void
  ) async throws -> Tally {
    try await read(file)
    var tally = Tally(prefixes: prefixes, changes: changes, sourceLocation: sourceLocation)
    for wound in wounds {
      let damaged = wound.damaged(file)
      do {
        try await read(damaged)
        tally.note(wound, damaged, .success(()))
      } catch {
        tally.note(wound, damaged, .failure(error))
      }
    }
    tally.expectRefusals()
    return tally
  }

  private var wounds: [Wound] {
    lengths.map { .cut($0) }
      + offsets.flatMap { offset in
        bytes(instead: file[offset]).map { .changed(offset, $0) }
      }
  }

  private func bytes(instead byte: UInt8) -> [UInt8] {
    switch change {
    case .flipping(let masks): masks.map { byte ^ $0 }
    case .replacing(let bytes): bytes.filter { $0 != byte }
    }
  }
}

extension Damage {
  /// One damage.
  fileprivate enum Wound: CustomStringConvertible {
    case cut(Int)
    case changed(Int, UInt8)

    func damaged(_ file: [UInt8]) -> [UInt8] {
      switch self {
      case .cut(let length): return Array(file[..<length])
      case .changed(let offset, let byte):
        var changed = file
        changed[offset] = byte
        return changed
      }
    }

    var description: String {
      switch self {
      case .cut(let length): "cut after \(length) bytes"
      case .changed(let offset, let byte): "with byte \(offset) changed to \(byte)"
      }
    }
  }

  /// The numbers of damaged files that were read and refused.
  public struct Tally: Sendable {
    /// The number of refused prefixes.
    public private(set) var refusedPrefixes = 0
    /// The number of prefixes that were read.
    public private(set) var readPrefixes = 0
    /// The number of refused files with a changed byte.
    public private(set) var refusedChanges = 0
    /// The number of files with a changed byte that were read.
    public private(set) var readChanges = 0
    private let prefixes: Expectation
    private let changes: Expectation
    private let sourceLocation: SourceLocation

    fileprivate init(prefixes: Expectation, changes: Expectation, sourceLocation: SourceLocation) {
      (self.prefixes, self.changes, self.sourceLocation) = (prefixes, changes, sourceLocation)
    }

    fileprivate mutating func note(_ wound: Wound, _ file: [UInt8], _ result: Result<Void, any Error>) {
      switch (wound, result) {
      case (.cut, .success):
        readPrefixes += 1
        expect(prefixes == .readOrRefused, "read, \(wound)")
      case (.cut, .failure): refusedPrefixes += 1
      case (.changed, .success):
        readChanges += 1
        expect(changes == .readOrRefused, "read, \(wound)")
      case (.changed, .failure): refusedChanges += 1
      }
      if case .failure(let error) = result { expectHelpful(error, of: file, wound) }
    }

    /// Expects an error with words, and with a source location that the file has.
    private func expectHelpful(_ error: any Error, of file: [UInt8], _ wound: Wound) {
      if error is Refusal { return }
      guard let error = error as? FerryError else { return expect(false, "\(wound): \(error)") }
      let location = error.location
      expect(!error.message.isEmpty, "\(wound): no message")
      expect((0...file.count).contains(location.byte ?? 0), "\(wound): \(error)")
      expect((location.line ?? 1) >= 1 && (location.column ?? 1) >= 1, "\(wound): \(error)")
      if let line = location.line, line > 1 { expect(line <= lineCount(of: file), "\(wound): \(error)") }
    }

    private func lineCount(of file: [UInt8]) -> Int { file.count { $0 == 10 || $0 == 13 } + 1 }

    fileprivate func expectRefusals() {
      expect(refusedPrefixes > 0 || readPrefixes == 0, "no prefix was refused")
      expect(refusedChanges > 0 || readChanges == 0, "no changed byte was refused")
    }

    private func expect(_ condition: Bool, _ comment: @autoclosure () -> String) {
      if !condition { Issue.record(Comment(rawValue: comment()), sourceLocation: sourceLocation) }
    }
  }
}
