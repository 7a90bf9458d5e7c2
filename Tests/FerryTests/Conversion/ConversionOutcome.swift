@testable import Ferry

/// The result of a conversion: all that a user sees.
struct ConversionOutcome: Equatable, CustomStringConvertible {
  var output: [UInt8] = []
  var counts: [Losses.Count] = []
  var losses: [Loss] = []
  var errors: [FerryError] = []
  var notes: [Note] = []
  var error: FerryError?

  /// Converts an input in memory.
  init(
    of conversion: Conversion, _ input: any ByteInput, named name: String,
    adapting adapters: RecordAdapters = RecordAdapters()
  ) {
    let output = MemoryOutput()
    do throws(FerryError) {
      let report = try conversion.convert(
        input, named: name, to: output, named: nil, adapting: adapters)
      (counts, losses) = (report.losses.counts, report.losses.listed)
      (errors, notes) = (report.errors, report.notes)
    } catch {
      self.error = error
    }
    self.output = output.bytes
  }

  var description: String {
    "\(String(decoding: output, as: UTF8.self).debugDescription) \(counts) \(losses) \(errors) \(notes) \(String(describing: error))"
  }
}
