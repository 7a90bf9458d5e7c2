/// A sink that divides a document into records and hands them on in batches.
///
/// The records are the elements of the outermost array or set, or the outermost value itself:
///
///     [{"name": "Ada"}, {"name": "Grace"}]     {"name": "Ada"}, {"name": "Grace"}
///     {"name": "Ada"}                          {"name": "Ada"}
///     <people/>                                no records
///
/// A record is complete when the next event, or `flush`, shows that nothing more belongs to it.
final class RecordSplitter: InterceptingSink {
  private let builder = ValueBuilder()
  private let locator: SourceLocator
  /// True if a document that is an empty root element has no records.
  private let leavesOutEmptyRoot: Bool
  /// The records that their reader or their mapper leaves out, which have indices, too; nil if an error ends the reading.
  private let failed: FailedRecords?
  private let handOn: (RecordBatch) throws(FerryError) -> Void
  private var batch: RecordBatch
  /// The approximate size of the records in the batch in bytes.
  private var weight = 0
  private var count = 0
  private var isList = false
  /// The source location of the record that is being built.
  private var location = InputLocation()

  /// The number of records, and their approximate size in bytes, after which a batch is handed on.
  private static let (mostRecords, mostBytes) = (64, 1 << 18)

  /// Creates a sink for a document in a format.
  init(
    _ format: Format, isWrapped: Bool, locator: SourceLocator, leavesOutEmptyRoot: Bool,
    failed: FailedRecords?,
    handingOn handOn: @escaping (RecordBatch) throws(FerryError) -> Void
  ) {
    (self.locator, self.leavesOutEmptyRoot) = (locator, leavesOutEmptyRoot)
    (self.failed, self.handOn) = (failed, handOn)
    batch = RecordBatch(format: format, isWrapped: isWrapped)
    super.init(to: builder)
    failed?.writtenCount = { [weak self] in self?.completeCount ?? 0 }
  }

  /// The path of the record that is being read.
  var path: ValuePath { pathInInput(isList ? [.index(count)] : []) }

  /// The number of complete records so far.
  private var completeCount: Int { builder.isComplete ? count + 1 : count }

  private func pathInInput(_ steps: [ValuePath.Step]) -> ValuePath {
    let path = ValuePath(steps)
    return failed?.pathInInput(path) ?? path
  }

  /// The index of the record that is being built in the list of all records, also of those that are left out.
  private var index: Int? {
    guard isList, case .index(let index)? = pathInInput([.index(count)]).steps.first else { return nil }
    return index
  }

  /// Hands on the complete records.
  func flush() throws(FerryError) {
    try completeRecord()
    guard !batch.records.isEmpty else { return }
    let full = batch
    (batch.records, weight) = ([], 0)
    try handOn(full)
  }

  override func finish() throws(FerryError) { try flush() }

  /// Adds the value that is being built to the batch, if it is complete.
  private func completeRecord() throws(FerryError) {
    guard builder.isComplete else { return }
    let recordWeight = builder.weight
    let value = try builder.take()
    if leavesOutEmptyRoot, !isList, value.isEmptyRoot { return }
    weight += recordWeight
    batch.records.append(FoundRecord(value: value, index: index, location: location))
    count += 1
    if batch.records.count >= Self.mostRecords || weight >= Self.mostBytes { try flush() }
  }

  override func willSend() throws(FerryError) {
    try completeRecord()
    if builder.isEmpty { location = locator.location }
  }

  /// Returns true if the list of records begins. The class and the identity of its object are left out.
  private func beginsList() throws(FerryError) -> Bool {
    try willSend()
    guard !isList, count == 0, builder.hasOnlyOpenObjects else { return false }
    builder.removeAll()
    isList = true
    return true
  }

  /// Returns true if the event ends the list of records, or the object around it.
  private func endsList() throws(FerryError) -> Bool {
    try willSend()
    return isList && builder.isEmpty
  }

  override func beginArray(count: Int?) throws(FerryError) {
    if try !beginsList() { try next.beginArray(count: count) }
  }
  override func endArray() throws(FerryError) { if try !endsList() { try next.endArray() } }
  override func beginSet(count: Int?) throws(FerryError) {
    if try !beginsList() { try next.beginSet(count: count) }
  }
  override func endSet() throws(FerryError) { if try !endsList() { try next.endSet() } }
  override func endObject() throws(FerryError) { if try !endsList() { try next.endObject() } }
}

extension Value {
  /// True for a document that is an empty root element, which may declare namespaces.
  fileprivate var isEmptyRoot: Bool {
    guard let entries = dictionaryValue, entries.count == 1, let content = entries.first?.value else {
      return false
    }
    guard let attributes = content.dictionaryValue else { return content == .string("") }
    return attributes.allSatisfy { $0.key.stringValue?.begins(with: "@xmlns") == true }
  }
}
