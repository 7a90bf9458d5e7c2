/// The standard output.
///
/// If its reader has closed it, writing throws `FileProblem.brokenPipe`, after which most programs end
/// quietly. A program gets this error only if it ignores the signal `SIGPIPE`.
public final class StandardOutput: ByteOutput {
  private let file = SystemFile(standard: 1)

  /// Keeps files that are opened later from becoming standard streams that were closed when the program began. A program calls
  /// this first; using such a stream then fails with `FileProblem.closed`.
  public static func keepStandardStreams() { SystemFile.keepStandardStreams() }

  /// Creates the output. It is never closed.
  public init() {}

  public func write(_ bytes: Span<UInt8>) throws(Failure) { try file.write(bytes) }
}
