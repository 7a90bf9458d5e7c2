/// The making of the elements of a sequence from records.
struct RecordMaker<Element>: Sendable {
  /// Begins to make elements from the records of an input, of which the first batch is given. Returns a function that makes one; its
  /// losses are added to the report.
  let begin: @Sendable (RecordBatch, RecordSettings, LossReport) -> (FoundRecord) throws -> Element
}

extension RecordMaker where Element == Value {
  /// Makes the value of a record.
  static let value = RecordMaker { _, _, _ in { $0.value } }
}

extension RecordMaker where Element: Decodable & SendableMetatype {
  /// Decodes a record.
  static var decoded: RecordMaker {
    RecordMaker { batch, settings, _ in
      let (format, isWrapped) = (batch.format, batch.isWrapped)
      let document = ValueDecoding(settings.decoder, of: format)
      // The elements around a record are not read with it.
      let element = ValueDecoding(settings.decoder, of: format, .unknown)
      return { record in
        let role = format.roleOfRecord(isListed: record.index != nil, isWrapped: isWrapped)
        let decoding = role == .document ? document : element
        do {
          return try decoding.decode(Element.self, CodedValue(record.value, role, index: record.index))
        } catch let error as DecodingError {
          throw error.placed { _ in record.location }
        }
      }
    }
  }
}

extension RecordMaker where Element == [UInt8] {
  /// Writes a record as a document of its own.
  static func bytes(_ writing: WritingOptions) -> RecordMaker {
    RecordMaker { _, settings, losses in
      let documents = RecordDocuments(writing, readBy: settings.reading, losses)
      return { record in try documents.document(of: record) }
    }
  }
}
