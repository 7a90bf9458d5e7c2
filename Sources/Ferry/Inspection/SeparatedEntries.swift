/// A sink that sends the value of an input to one sink, and the entries of each archive in it to a sink of their own.
///
///     {"a.archive": "hi", "b.json": 1}     ▸ the next sink
///     {extra: 5}                           ▸ the sink for the entries of the archive at ["a.archive"]
final class SeparatedEntries: PathTrackingSink {
  private let makeSink: (_ path: ValuePath, _ isInData: Bool) throws(FerryError) -> any OpenedDataSink
  private let values: any OpenedDataSink
  /// The sinks for the entries that are open. An archive in data may be inside other entries.
  private var open: [any OpenedDataSink] = []

  /// Creates a sink.
  ///
  /// - Parameter makeSink: Makes the sink for the entries of the archive at a path. An archive may be in data.
  init(
    to next: any OpenedDataSink,
    _ makeSink: @escaping (_ path: ValuePath, _ isInData: Bool) throws(FerryError) -> any OpenedDataSink
  ) {
    (values, self.makeSink) = (next, makeSink)
    super.init(to: next)
  }

  private var current: any OpenedDataSink { open.last ?? values }

  override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    _ = try super.receiver(of: kind)
    return current
  }
  override func receiverOfKey() -> (any ValueSink)? { current }
  override func receiverOfEnd() -> (any ValueSink)? { current }
}

extension SeparatedEntries: OpenedDataSink {
  func willOpenData(_ bytes: Span<UInt8>) throws(FerryError) { try current.willOpenData(bytes) }
}

extension SeparatedEntries: ArchiveEntrySink {
  var takesArchiveEntries: Bool { !isInKey }
  func beginArchiveEntries(isInData: Bool) throws(FerryError) {
    returnToLastValue()
    open.append(try makeSink(path, isInData))
  }
  func endArchiveEntries() throws(FerryError) { try open.popLast()?.finish() }
}

/// The words for an archive whose entries are shown.
enum ArchiveEntryTitle {
  /// Returns the words for the archive at a path: `beside the objects of the archive in data at x`.
  static func text(ofArchiveAt path: ValuePath, isInData: Bool) -> String {
    let archive =
      switch (isInData, path.isEmpty) {
      case (true, true): "the archive in data"
      case (true, false): "the archive in data at \(path.shortened)"
      case (false, true): "the archive"
      case (false, false): path.shortened
      }
    return "beside the objects of \(archive)"
  }
}
