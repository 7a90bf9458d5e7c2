import Dispatch
import Ferry
import Synchronization

/// A line on the terminal that shows how far a run is:
///
///     371 of 10,000 files, 12.3 of 331.5 MB, 24.6 MB/s, 13 s left
///     comparing, 12.3 of 331.5 MB, 5 s
///
/// It appears after half a second, so that short runs print nothing.
final class ProgressLine: Sendable {
  private let fileCount: Int
  /// The work that follows the reading of the files, whose duration is unknown; nil if there is only the reading.
  private let work: String?
  /// The number of bytes of all inputs; nil if it is unknown, as for a pipe.
  private let byteCount: Int?
  private let finishedFiles = Atomic(0)
  private let readBytes = Atomic(0)
  private let beginning = DispatchTime.now()
  private let queue = DispatchQueue(label: "progress")
  /// Signaled when the run ends, and when the line is removed.
  private let (ended, removed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

  init(of inputs: [String], work: String? = nil) {
    self.work = work
    fileCount = inputs.count
    let sizes = inputs.map { $0 == "-" ? nil : Folder.size(of: $0) }
    byteCount = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Calls a function with a line that shows the progress through inputs, or with nil if it is hidden or messages do not
  /// go to a terminal.
  ///
  /// - Parameter work: The work that follows the reading of the inputs, such as `comparing`; nil if there is only the reading.
  static func showing<Result, Failure: Error>(
    of inputs: [String], work: String? = nil, isHidden: Bool = false,
    _ body: (ProgressLine?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard !isHidden, Terminal.isErrorShown else { return try body(nil) }
    let line = ProgressLine(of: inputs, work: work)
    line.start()
    defer { line.stop() }
    return try body(line)
  }

  /// Counts the bytes that will be read from an input.
  func watch(_ input: FileInput) { input.whenRead = add(bytes:) }

  /// Begins to show the line.
  func start() {
    queue.async { [self] in
      var pause = 500
      while ended.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
        StandardError.showProgress(shortened(text))
        pause = 200
      }
      StandardError.showProgress("")
      removed.signal()
    }
  }

  /// Removes the line.
  func stop() {
    ended.signal()
    removed.wait()
  }

  /// Counts bytes that were read. Called by several threads.
  private func add(bytes count: Int) { readBytes.add(count, ordering: .relaxed) }

  /// Counts an input that is finished or has failed.
  func finishFile() { finishedFiles.add(1, ordering: .relaxed) }

  private var text: String {
    // A file that is read twice, such as a table with inferred types, counts once.
    let read = readBytes.load(ordering: .relaxed)
    let done = byteCount.map { min(read, $0) } ?? read
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - beginning.uptimeNanoseconds) / 1e9
    let speed = Double(done) / max(seconds, 0.001)
    let bytes = byteCount.map { "\(done.megabytes) of \($0.megabytes) MB" } ?? "\(done.megabytes) MB"
    if let work { return "\(work), \(bytes), \(Int(seconds).grouped) s" }
    var parts: [String] = []
    if fileCount > 1 {
      parts.append("\(finishedFiles.load(ordering: .relaxed).grouped) of \(fileCount.grouped) files")
    }
    parts.append(bytes)
    parts.append("\(Int(speed).megabytes) MB/s")
    if let byteCount, speed > 0, done < byteCount {
      parts.append("\(Int((Double(byteCount - done) / speed).rounded(.up)).grouped) s left")
    }
    return parts.joined(separator: ", ")
  }

  /// Cuts a line that would wrap, because only one line can be erased.
  private func shortened(_ text: String) -> String { String(text.prefix(max(0, Terminal.errorWidth - 1))) }
}

extension Int {
  /// The number of megabytes with one decimal: `12.3`.
  fileprivate var megabytes: String {
    let tenths = (self + 50_000) / 100_000
    return "\((tenths / 10).grouped).\(tenths % 10)"
  }

  /// The digits in groups of three: `10,000`.
  fileprivate var grouped: String {
    let digits = String(self)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}

extension ProgressLine? {
  /// Opens a file that an argument names, or the standard input for `-`, and shows how far it is read.
  func open(_ path: String) throws(FerryError) -> FileInput {
    let input = try ProcessArguments.current.open(path)
    self?.watch(input)
    return input
  }
}
