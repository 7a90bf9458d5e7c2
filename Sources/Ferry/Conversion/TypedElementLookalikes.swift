/// A filter before a writer of XML that reports a document which looks like one in the typed form. Elements
/// become keys only when the document is read, so the filter examines the beginning of the output.
///
///     <map><number key="$ferry">1</number>…
final class TypedElementLookalikes: BatchForwardingSink {
  private let beginning: BeginningOutput
  private let losses: LossReport

  /// Creates a filter before a writer to an output.
  init(to writer: any ValueSink, of output: BeginningOutput, losses: LossReport) {
    (beginning, self.losses) = (output, losses)
    super.init(to: writer)
  }

  override func finish() throws(FerryError) {
    try next.finish()
    // The first bytes end anywhere, so an error in them says nothing about the document.
    guard let isTyped = try? Format.xml.isTypedDocument(beginning.bytes, budget: Budget()), isTyped else {
      return
    }
    losses.add(.typedLookalike)
  }
}

/// An output that keeps the first bytes.
final class BeginningOutput: ByteOutput {
  private let output: any ByteOutput
  /// The first bytes written.
  private(set) var bytes: [UInt8] = []
  private static let capacity = 1 << 16

  init(of output: any ByteOutput) { self.output = output }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let room = Self.capacity - self.bytes.count
    if room > 0 { self.bytes.append(copying: bytes.extracting(first: min(room, bytes.count))) }
    try output.write(bytes)
  }
}
