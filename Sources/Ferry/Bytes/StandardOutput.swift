/// Standard output.
///
/// When whoever reads it has gone, writing fails with `FileProblem.brokenPipe`, which most programs end quietly for.
/// They only get so far if they ignore the signal `SIGPIPE`.
public final class StandardOutput: ByteOutput {
  private let file = SystemFile(standard: 1)

  /// Keeps files that are opened later from becoming standard streams that were closed when the program began. A program calls
  /// this first; using such a stream then fails with `FileProblem.closed`.
  public static func keepStandardStreams() { SystemFile.keepStandardStreams() }

  /// The output; it stays open.
  public init() {}

  public func write(_ bytes: Span<UInt8>) throws(Failure) { try file.write(bytes) }
}
