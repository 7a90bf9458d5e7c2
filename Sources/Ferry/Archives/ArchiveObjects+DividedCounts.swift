internal import Synchronization

extension ArchiveObjects {
  /// The largest number of threads that count references. Each takes up to three bytes of memory for an object.
  private static let mostThreads = 4

  /// Returns the number of references to each object of a binary archive, counted up to 2 like `referenceCounts()`, by several threads.
  ///
  /// Each thread counts the references in a range of the objects. A collection that objects of two ranges share is visited up to two times for
  /// each range; further visits change no count of 2.
  ///
  /// - Returns: Nil if `referenceCounts()` may throw, or if no more threads can be started.
  static func referenceCounts(in file: BinaryPropertyList, _ archive: ArchiveObjects, threads: Int)
    -> [UInt8]?
  {
    guard !file.mayExceedTokenBytes else { return nil }
    let threads = max(1, min(threads, mostThreads))
    let work = DividedCounts(file.bytes, file.budget)
    let bounds = (0...threads).map { archive.count / threads * $0 + archive.count % threads * $0 / threads }
    for index in 1..<threads {
      let numbers = bounds[index]..<bounds[index + 1]
      do throws(FerryError) { try work.start(numbers) } catch { work.count(numbers) }
    }
    work.count(bounds[0]..<bounds[1])
    guard let (counts, stepCount) = work.sum() else { return nil }
    // With so few steps, one thread has enough of them for any object.
    return stepCount <= file.byteCount ? counts : nil
  }
}

/// The counts of the references in ranges of the objects, which several threads find.
private final class DividedCounts: Sendable {
  private struct State: Sendable {
    /// The sums of the counts of all ranges so far.
    var counts: [UInt8]?
    var stepCount = 0
    var hasFailed = false
  }

  private let bytes: FileBytes
  private let budget: Budget
  private let state = Mutex(State())
  private let threads = SystemThreadGroup()

  init(_ bytes: FileBytes, _ budget: Budget) { (self.bytes, self.budget) = (bytes, budget) }

  /// Starts a thread that counts the references in a range of the objects.
  func start(_ numbers: Range<Int>) throws(FerryError) {
    try threads.start { [self] in count(numbers) }
  }

  /// Counts the references in a range of the objects.
  func count(_ numbers: Range<Int>) {
    do throws(FerryError) {
      let file = try BinaryPropertyList(bytes, budget: budget)
      var counter = BinaryReferenceCounter(try ArchiveObjects(file), in: file)
      let bytes = bytes
      try counter.count(within: nil, in: numbers, file.table(bytes.span)) { _ in }
      add(counter.counts, counter.stepCount)
    } catch {
      state.withLock { $0.hasFailed = true }
    }
  }

  private func add(_ counts: [UInt8], _ stepCount: Int) {
    state.withLock { state in
      state.stepCount += stepCount
      guard var sums = state.counts.take() else {
        state.counts = counts
        return
      }
      for index in sums.indices { sums[index] = min(sums[index] + counts[index], 2) }
      state.counts = sums
    }
  }

  /// Waits for the threads, and returns the counts. Returns nil if there is an error in a range.
  func sum() -> (counts: [UInt8], stepCount: Int)? {
    threads.wait()
    return state.withLock { state in
      guard !state.hasFailed, let counts = state.counts.take() else { return nil }
      return (counts, state.stepCount)
    }
  }
}
