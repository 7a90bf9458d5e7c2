/// The making of the elements of a sequence from records.
struct RecordMaker<Element>: Sendable {
  /// Begins to make elements from the records of a format. Returns a function that makes one; its losses are added to the report.
  let begin: @Sendable (Format, RecordSettings, LossReport) -> (FoundRecord) throws -> Element
}

extension RecordMaker where Element == Value {
  /// Makes the value of a record.
  static let value = RecordMaker { _, _, _ in { $0.value } }
}

extension RecordMaker where Element: Decodable & SendableMetatype {
  /// Decodes a record.
  static var decoded: RecordMaker {
    RecordMaker { format, settings, _ in
      let decoding = ValueDecoding(settings.decoder, of: format)
      let hasElements = format.recordDialect.hasElements
      return { record in
        let isDocument = record.index == nil && hasElements
        do {
          return try decoding.decode(
            Element.self, CodedValue(record.value, isDocument: isDocument, index: record.index))
        } catch let error as DecodingError {
          throw error.placed { _ in record.position }
        }
      }
    }
  }
}

extension RecordMaker where Element == [UInt8] {
  /// Writes a record as a document of its own.
  static func bytes(_ conversion: Conversion) -> RecordMaker {
    let isListed = conversion.target.description.isListOfRecords
    return RecordMaker { _, _, losses in
      { record in
        let (output, found) = (MemoryOutput(), LossReport())
        do throws(FerryError) {
          try conversion.write(to: output, losses: found) { sink throws(FerryError) in
            if isListed { try sink.beginArray(count: 1) }
            try record.value.replay(into: sink)
            if isListed { try sink.endArray() }
          }
        } catch {
          var placed = error.placed(at: record.position)
          placed.path = record.path(of: placed.path, inList: isListed)
          throw placed
        }
        losses.add(found.all) { record.path(of: $0, inList: isListed) }
        return output.bytes
      }
    }
  }
}

extension FoundRecord {
  /// Returns the path in the list of records of a part of the record, whose path in its own document is given.
  fileprivate func path(of part: ValuePath, inList isListed: Bool) -> ValuePath {
    path.appending(part.steps.dropFirst(isListed ? 1 : 0))
  }
}
