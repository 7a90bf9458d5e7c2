import TestSupport
import Testing

@testable import Ferry

/// The ways that save time: several threads, events in batches, and templates for elements like earlier ones.
@Suite struct `Real files in the fast ways` {
  /// The largest file that is converted to each format, and the largest that is converted at all.
  private static let (largest, largestForJSON) = (200_000, 4 << 20)

  /// The sizes of small parts.
  private static let parts = PartSizes(smallestInput: 0, part: 500, longPart: 500, largestPart: 1 << 20)

  /// Converts by several threads, and by one thread with each event sent alone.
  private static func outcomes(_ bytes: [UInt8], named name: String, to target: Format) -> (
    fast: ConversionOutcome, slow: ConversionOutcome
  ) {
    var conversion = Conversion(to: target)
    (conversion.threads, conversion.partSizes) = (3, parts)
    let fast = ConversionOutcome(of: conversion, MemoryInput(bytes), named: name)
    conversion.threads = 1
    // An intercepting sink takes no batches.
    let adapters = RecordAdapters(source: { next, _ in InterceptingSink(to: next) })
    return (fast, ConversionOutcome(of: conversion, MemoryInput(bytes), named: name, adapting: adapters))
  }

  /// Returns true if two results differ at most in the order of their losses: the losses of reading a batch are noted before those of
  /// writing it.
  private static func areSame(_ a: ConversionOutcome, _ b: ConversionOutcome) -> Bool {
    func inAnyOrder<Element>(_ list: [Element]) -> [String] { list.map { "\($0)" }.sorted() }
    guard inAnyOrder(a.losses) == inAnyOrder(b.losses), inAnyOrder(a.counts) == inAnyOrder(b.counts) else {
      return false
    }
    var b = b
    (b.losses, b.counts) = (a.losses, a.counts)
    return a == b
  }

  @Test(arguments: [
    "coredata", "json", "keyed", "nibarchive", "people", "plist", "sketch", "typedstream", "xml",
  ])
  func `The bytes, losses, notes and errors are those of one thread that sends single events`(
    _ folder: String
  )
    throws
  {
    var (count, converted) = (0, 0)
    for path in try Corpus.files(under: folder) {
      let bytes = try Corpus.bytes(path)
      guard bytes.count <= Self.largestForJSON else { continue }
      count += 1
      // Each file has one other target, in turn.
      let others: [Format] = [.jsonLines, .xmlPropertyList, .csv, .yaml, .binaryPropertyList]
      let targets = bytes.count <= Self.largest ? [.json, others[count % others.count]] : [.json]
      for target in targets {
        let (fast, slow) = Self.outcomes(bytes, named: path, to: target)
        if fast.error == nil { converted += 1 }
        guard !Self.areSame(fast, slow) else { continue }
        Issue.record(
          "\(path) to \(target):\n\("\(fast)".prefix(400))\nis not\n\("\(slow)".prefix(400))")
      }
    }
    #expect(converted > 0 && count > 0)
  }
}
