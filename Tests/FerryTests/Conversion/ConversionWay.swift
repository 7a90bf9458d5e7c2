@testable import Ferry

/// The way in which two threads convert an input.
enum ConversionWay {
  case oneThread, parts, partsThenOneThread, partsThenRest

  /// Converts an input, and notes the way.
  init(of conversion: Conversion, _ input: any ByteInput, from format: Format?, sizes: PartSizes) throws {
    var conversion = conversion
    (conversion.threads, conversion.partSizes) = (2, sizes)
    let detected = try DetectedInput(input, named: nil, given: format, budget: conversion.reading.budget)
    let prepared = conversion
    func options(for format: Format) -> ReadingOptions {
      var options = prepared.readingOptions(for: format)
      options.schema = prepared.reading.schema
      return options
    }
    let source = try OpenedInput(detected, options(for: detected.format))
    let outcome = try conversion.convertInParts(
      source, conversion.reading.schema, options(for: source.format), to: MemoryOutput(),
      adapting: RecordAdapters())
    self =
      switch outcome {
      case nil: .oneThread
      case .complete: .parts
      case .incomplete: .partsThenOneThread
      case .begun: .partsThenRest
      }
  }
}
