import Testing

@testable import Ferry

@Suite struct `Paths of values in batches` {
  /// The path, and the number of elements in the outermost list that has ended.
  private struct Found: Equatable {
    var path: ValuePath
    var outermostCount: Int
    var depth: Int

    init(_ tracker: PathTracker) {
      (path, outermostCount, depth) = (tracker.path, tracker.outermostCount, tracker.depth)
    }
  }

  private static let values = [
    "0", "[]", "{}", "[00[0]{a0}0]", "{a0b[0{c0d[00]}0]e{}}", "{a{b{c{d{e0}}}}f{g{h0}}}",
    "[[[[0]0]0]0]", "[{a0b0}{a0b0}{a0b0c[]}]", "{a[{b0}{b{c[0]}}]d0}", "[0]{a0}[000]", "[0][{}{}]{a[0]}0",
  ]

  @Test(arguments: values)
  func `A batch has the path that its events have one by one, wherever the batches are divided`(
    _ text: String
  ) {
    for first in text.indices {
      for second in text[first...].indices {
        var (batches, single) = (PathTracker(), PathTracker())
        for part in [text[..<first], text[first..<second], text[second...]] {
          NotedEvents(part).send(to: &batches)
          NotedEvents(part).sendSingly(to: &single)
          #expect(Found(batches) == Found(single), "\(text[..<first])|\(part)")
        }
      }
    }
  }

  @Test(arguments: values)
  func `An event that is refused in a batch has the path that it has alone`(_ text: String) {
    for start in text.indices {
      let rest = NotedEvents(text[start...])
      for failed in rest.entries.indices {
        var (batches, single) = (PathTracker(), PathTracker())
        NotedEvents(text[..<start]).send(to: &batches)
        NotedEvents(text[..<start]).sendSingly(to: &single)
        rest.send(to: &batches, failedAt: failed)
        rest.sendSingly(to: &single, failedAt: failed)
        #expect(Found(batches) == Found(single), "\(text[..<start])|\(text[start...]) \(failed)")
      }
    }
  }
}

extension NotedEvents {
  /// Tracks the events in a batch, up to one that was refused.
  fileprivate func send(to tracker: inout PathTracker, failedAt failed: Int? = nil) {
    withBatch { tracker.receive($0, failedAt: failed) }
  }

  /// Tracks the events one by one. The key that was refused is the current one.
  fileprivate func sendSingly(to tracker: inout PathTracker, failedAt failed: Int? = nil) {
    for index in entries.indices.prefix(failed.map { entries[$0].kind == .key ? $0 + 1 : $0 } ?? .max) {
      switch entries[index].kind {
      case .beginArray: tracker.beginList()
      case .beginDictionary: tracker.beginDictionary()
      case .endArray, .endDictionary: tracker.end()
      case .key: tracker.key(input.span.extracting(index..<index + 1))
      default: tracker.finishValue()
      }
    }
  }
}
