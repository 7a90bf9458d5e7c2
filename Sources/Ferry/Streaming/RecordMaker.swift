/// The making of an element of a sequence from a record.
struct RecordMaker<Element>: Sendable {
  /// Makes an element. The losses of the making are added to the report.
  let make: @Sendable (FoundRecord, Format, RecordSettings, LossReport) throws -> Element
}

extension RecordMaker where Element == Value {
  /// Makes the value of a record.
  static let value = RecordMaker { record, _, _, _ in record.value }
}

extension RecordMaker where Element: Decodable & SendableMetatype {
  /// Decodes a record.
  static var decoded: RecordMaker {
    RecordMaker { record, format, settings, _ in
      let decoding = ValueDecoding(settings.decoder, of: format)
      let isDocument = record.index == nil && format.recordDialect.hasElements
      do {
        return try decoding.decode(
          Element.self, CodedValue(record.value, isDocument: isDocument, index: record.index))
      } catch let error as DecodingError {
        throw error.placed(at: record.position, of: Element.self)
      }
    }
  }
}

extension RecordMaker where Element == [UInt8] {
  /// Writes a record as a document of its own.
  static func bytes(_ conversion: Conversion) -> RecordMaker {
    RecordMaker { record, format, settings, losses in
      let output = MemoryOutput()
      let isListed = conversion.target.description.isListOfRecords
      let found = LossReport()
      do throws(FerryError) {
        try conversion.write(to: output, losses: found) { sink throws(FerryError) in
          if isListed { try sink.beginArray(count: 1) }
          try record.value.replay(into: sink)
          if isListed { try sink.endArray() }
        }
      } catch {
        throw error.placed(at: record.position)
      }
      losses.add(found.all, under: record.path.steps)
      return output.bytes
    }
  }
}

extension DecodingError {
  /// Returns the error with the source location of the record in its underlying error.
  fileprivate func placed(at position: Position, of type: any Any.Type) -> DecodingError {
    guard let error = context?.underlyingError as? FerryError else { return self }
    let placed = error.placed(at: position)
    var key: (any CodingKey)?
    if case .keyNotFound(let missing, _) = self { key = missing }
    return placed.decodingError(of: type, path: context?.codingPath ?? [], key: key)
  }

  /// The coding path and the cause.
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
