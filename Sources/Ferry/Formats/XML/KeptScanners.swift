internal import Synchronization

/// Scanners of documents that have been read, which are kept for the next documents.
///
/// Small documents often have the same names, and to make a scanner with its names takes longer than to read such a document.
enum KeptScanners {
  /// Room for a scanner. There is one for each of a few threads that read at the same time.
  private final class Room: Sendable {
    let scanner = Mutex<ContentScanner?>(nil)
  }

  private static let rooms = (0..<8).map { _ in Room() }

  /// Returns a scanner of the bytes after the `<` of the root element's start tag, which is at a location.
  static func scanner(at location: InputLocation, budget: Budget, showsBytes: Bool) -> ContentScanner {
    for room in rooms {
      if var kept = room.scanner.withLock({ $0.take() }) {
        kept.begin(at: location, budget: budget, showsBytes: showsBytes)
        return kept
      }
    }
    return ContentScanner(at: location, budget: budget, showsBytes: showsBytes)
  }

  /// Keeps a scanner if it needs little memory and there is room for it.
  static func keep(_ scanner: consuming ContentScanner) {
    guard scanner.isWorthKeeping else { return }
    var scanner: ContentScanner? = scanner
    for room in rooms {
      room.scanner.withLock { kept in
        if kept == nil { swap(&kept, &scanner) }
      }
      if scanner == nil { return }
    }
  }
}
