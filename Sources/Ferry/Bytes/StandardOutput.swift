/// The standard output.
///
/// If its reader has closed it, writing throws `FileProblem.brokenPipe`, after which most programs end
/// quietly. A program gets this error only if it ignores the signal `SIGPIPE`.
public final class StandardOutput: ByteOutput {
  private let file = SystemFile(standard: 1)

  /// Keeps files opened later from taking the numbers of standard streams that were closed at the start of
  /// the program. A program calls this first; using such a stream then throws `FileProblem.closed`.
  public static func keepStandardStreams() { SystemFile.keepStandardStreams() }

  /// Creates the output. It is never closed.
  public init() {}

  public func write(_ bytes: Span<UInt8>) throws(FerryError) { try file.write(bytes) }
}
