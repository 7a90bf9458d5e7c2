/// A writer of records, each as a document of its own.
///
/// Documents that are lines of one text, such as JSON Lines, are written by one pipeline, because creating one takes longer than
/// writing a record.
final class RecordDocuments {
  private let conversion: Conversion
  private let losses: LossReport
  /// True if a document in the format is a list with the record.
  private let isListed: Bool
  private let mayShareLines: Bool
  private var lines: RecordLines?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - writing: The format and the layout of the documents.
  ///   - reading: The options by which the records were read, of which the class catalog and the budget also hold for writing.
  ///   - losses: Receives the losses of all records.
  init(_ writing: WritingOptions, readBy reading: ReadingOptions, _ losses: LossReport) {
    var conversion = Conversion(writing: writing)
    (conversion.reading.catalog, conversion.reading.budget) = (reading.catalog, reading.budget)
    (self.conversion, self.losses) = (conversion, losses)
    let description = writing.format.description
    isListed = writing.isListOfRecords
    // The typed form, and another encoding, need the end of each document.
    mayShareLines =
      isListed && description.listLayout == .lines && writing.representation != .typed
      && writing.encoding == nil
  }

  /// Returns the document of a record.
  ///
  /// - Throws: An error of the format, with the source location of the record.
  func document(of record: FoundRecord) throws(FerryError) -> [UInt8] {
    let found = LossReport()
    // A record that looks like a document in the typed form is reported by a pipeline of its own.
    let sharesLines = mayShareLines && record.value[DocumentProbe.mark.string] == nil
    do throws(FerryError) {
      let bytes = sharesLines ? try line(of: record, found) : try ownDocument(of: record, found)
      if !found.isEmpty { losses.add(found.all) { record.path(of: $0, inList: isListed) } }
      return bytes
    } catch {
      var placed = error.placed(at: record.location)
      placed.path = record.path(of: placed.path, inList: isListed)
      throw placed
    }
  }

  private func line(of record: FoundRecord, _ found: LossReport) throws(FerryError) -> [UInt8] {
    let lines: RecordLines
    if let begun = self.lines { lines = begun } else { lines = try RecordLines(conversion) }
    // After an error, another pipeline begins.
    self.lines = nil
    let bytes = try lines.line(of: record.value, found)
    self.lines = lines
    return bytes
  }

  private func ownDocument(of record: FoundRecord, _ found: LossReport) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    try conversion.write(to: output, losses: found) { sink throws(FerryError) in
      if isListed { try sink.beginArray(count: 1) }
      try record.value.replay(into: sink)
      if isListed { try sink.endArray() }
    }
    return output.takeBytes()
  }
}

/// A pipeline whose writer writes a list, from which each element is taken when it is complete.
private final class RecordLines {
  private let output = MemoryOutput()
  private let losses = LossReport()
  private let pipeline: Pipeline
  private let writer: any PromptWriter

  /// Begins the list.
  init(_ conversion: Conversion) throws(FerryError) {
    pipeline = try Pipeline(
      conversion, schema: nil, source: SourceFacts(), to: output, losses: losses)
    guard let writer = pipeline.writer else {
      throw FerryError(.file(.notWritten(conversion.writing.format.rawValue)))
    }
    self.writer = writer
    try pipeline.first.beginArray(count: nil)
  }

  /// Returns the text of an element with the separators around it.
  func line(of value: Value, _ found: LossReport) throws(FerryError) -> [UInt8] {
    do throws(FerryError) {
      try value.replay(into: pipeline.first)
      try writer.flushComplete()
    } catch {
      throw error.placed(inOutput: pipeline.path)
    }
    if !losses.isEmpty { found.add(losses.take()) }
    return output.takeBytes()
  }
}

extension FoundRecord {
  /// Returns the path in the list of records of a part of the record, whose path in its own document is given.
  fileprivate func path(of part: ValuePath, inList isListed: Bool) -> ValuePath {
    path.appending(part.steps.dropFirst(isListed ? 1 : 0))
  }
}
