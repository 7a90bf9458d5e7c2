/// The standard output.
///
/// If the reader of the pipe has closed it, writing throws `FileProblem.brokenPipe`, and most programs should
/// exit without a message. This requires that the program ignores the signal `SIGPIPE`.
public final class StandardOutput: ByteOutput {
  private let file = SystemFile(standard: 1)

  /// Prevents files opened later from getting the descriptors of standard streams that were closed when the
  /// program started. Call this at the start of a program. Using such a stream then throws
  /// `FileProblem.closed`.
  public static func keepStandardStreams() { SystemFile.keepStandardStreams() }

  /// Creates an output. The stream is never closed.
  public init() {}

  public func write(_ bytes: Span<UInt8>) throws(FerryError) { try file.write(bytes) }
}
