import Testing

@testable import Ferry

/// An input in memory that can be read only once, as a pipe, unless it is made rewindable first.
final class PipedInput: ResumableInput {
  private let bytes: [UInt8]
  private let chunkSize: Int
  /// The offset at which the input pauses longer than any patience; nil if it does not pause.
  private let pause: Int?
  private var offset = 0
  private(set) var isRewindable = false
  var patience: Duration?
  var beforeWaiting: (() throws(FerryError) -> Void)?

  init(_ bytes: [UInt8], chunkSize: Int = 64, pausingAt pause: Int? = nil) {
    (self.bytes, self.chunkSize, self.pause) = (bytes, chunkSize, pause)
  }

  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    Array(bytes[offset...].prefix(count))
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    let bytes = bytes
    while offset < bytes.count {
      var end = min(offset + chunkSize, bytes.count)
      if let pause, patience != nil {
        guard offset < pause else { throw .stopped }
        end = min(end, pause)
      }
      let chunk = bytes.span.extracting(offset..<end)
      offset = end
      try body(chunk)
    }
  }

  func makeRewindable() throws(FerryError) { isRewindable = true }

  func rewind() throws(FerryError) {
    guard isRewindable else { throw FerryError(.file(.notRewindable)) }
    offset = 0
  }
}

extension ConversionOutcome {
  /// Expects that several threads give the result of one for an input that can be read only once.
  ///
  /// - Parameter pause: The offset at which the input is too slow for several threads; nil if it never is.
  static func expectSameFromPipe(
    _ conversion: Conversion, _ bytes: [UInt8], named name: String, _ sizes: PartSizes,
    pausingAt pause: Int? = nil, chunkSize: Int = 64, _ comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var conversion = conversion
    conversion.partSizes = sizes
    conversion.partSizes.smallestBeginning = 0
    conversion.partSizes.longPart = min(sizes.part, sizes.longPart)
    let outcomes = [1, 3].map { threads in
      conversion.threads = threads
      return ConversionOutcome(
        of: conversion, PipedInput(bytes, chunkSize: chunkSize, pausingAt: pause), named: name)
    }
    let (one, several) = (outcomes[0], outcomes[1])
    guard !several.isSame(as: one, to: conversion.writing.format) else { return }
    Issue.record(
      "\(comment()) \(conversion.writing.format) of a pipe with \(String(decoding: bytes, as: UTF8.self).debugDescription), pausing at \(String(describing: pause)):\none thread: \(one)\nthree threads: \(several)",
      sourceLocation: sourceLocation)
  }

  /// Returns true if two outcomes are the same. A part of a text in brackets, which is of no use without its end, may be shorter or longer
  /// after an error.
  private func isSame(as other: ConversionOutcome, to format: Format) -> Bool {
    guard losses.map(\.location) == other.losses.map(\.location) else { return false }
    var (outcome, other) = (self, other)
    if error != nil, format.description.listLayout == .brackets {
      guard outcome.output.starts(with: other.output) || other.output.starts(with: outcome.output) else {
        return false
      }
      (outcome.output, other.output) = ([], [])
    }
    return outcome == other
  }
}
