extension Conversion {
  /// Converts an input in parts by several threads, if that gives the result of one thread and takes less time. Returns nil
  /// if one thread has to convert it.
  ///
  /// The parts of an XML document without a schema take the forms of its elements from its beginning. Their values are taken back if a part has
  /// other forms, or other ones than another part for elements that the beginning lacks.
  ///
  /// The parts of a binary property list or a binary archive are ranges of the elements of its root.
  ///
  /// One thread converts
  /// - inputs that are small, and pipes that are slow,
  /// - pipes with XML without a schema and a selection, and pipes to rows, whose texts may have to be taken back,
  /// - formats whose texts cannot be cut between records, or joined,
  /// - records that are not independent of each other: in the typed or the raw form, with data that is opened (whose pointers
  ///   contain indices of records), in a dictionary with other entries, or in rows whose columns are not given,
  /// - archives with objects that are written once, and as references elsewhere,
  /// - XML documents without a schema whose root element has more than a list: attributes, text, or children of other names,
  /// - changes of entries, whose keys must not be repeated,
  /// - conversions that report errors and go on, and outputs in another encoding.
  ///
  /// - Throws: An error of the output.
  func convertInParts(
    _ source: OpenedInput, _ schema: Schema?, _ options: ReadingOptions, to output: any ByteOutput,
    adapting adapters: RecordAdapters
  ) throws(FerryError) -> PartedConversion.Outcome? {
    guard threads > 1, adapters.isEmpty, entriesInUse == nil, convertsRecordsAlone(by: schema) else {
      return nil
    }
    if let stream = source.streamForParts(options) {
      return try convertInParts(stream, source, schema, options, to: output)
    }
    guard let size = source.nodes?.byteCount ?? source.input.sizeOfFile, size >= partSizes.smallestInput,
      let parts = source.parts(
        options, lookahead: oneReading.lookahead(inSize: size), threads: threads),
      parts.beginning == nil || size <= oneReading.mostHeld,
      // Sorted keys are those of the outermost dictionary, which is held as a whole.
      parts.keysAroundList.isEmpty || !writing.sortsKeys
    else { return nil }
    // The values of a document may have to be taken back, and how many there are is not known before the data is decompressed.
    guard parts.beginning == nil || !(source.input is DecompressedInput) else { return nil }
    let sizes = partSizes.fitted(to: size)
    let converter = PartConverter(self, schema, options, parts, sizes)
    let conversion = try PartedConversion(self, converter, parts, sizes, to: output)
    return try conversion?.convert(source.input)
  }

  /// Converts an input in parts that can be read only once, such as a pipe. Returns nil if one thread has to convert it.
  private func convertInParts(
    _ stream: any ResumableInput, _ source: OpenedInput, _ schema: Schema?, _ options: ReadingOptions,
    to output: any ByteOutput
  ) throws(FerryError) -> PartedConversion.Outcome? {
    guard writing.format.description.listLayout != .rows,
      let beginning = stream.beginning(
        partSizes.smallestBeginning, within: partSizes.patience.beginning)
    else { return nil }
    let head = Array(beginning.prefix(FormatDetector.headSize))
    guard
      let parts = source.parts(
        options, head: head.count > source.head.count ? head : nil, lookahead: 0, threads: threads)
    else { return nil }
    let converter = PartConverter(
      self, schema, options, parts, partSizes, locatesLosses: !stream.isRewindable)
    let conversion = try PartedConversion(
      self, converter, parts, partSizes, to: output, stream: stream)
    stream.enlargePipe()
    return try conversion?.convert(stream)
  }

  /// True if the text of a record does not depend on other records.
  private func convertsRecordsAlone(by schema: Schema?) -> Bool {
    guard writing.representation == .plain, !reading.expandsData, !keepsGoing, classNames.isEmpty,
      !reportsUndeclaredKeys, !writing.choosesKeys,
      writing.encoding == nil, schema?.collectionKey == nil
    else { return false }
    switch writing.format.description.listLayout {
    case .lines, .brackets: return true
    // The keys of nested dictionaries may be further columns.
    case .rows: return schema != nil && writing.csv.columns == nil && !writing.csv.nestsDottedColumns
    case nil: return false
    }
  }
}

extension OpenedInput {
  /// Returns the input if it can be read only once, can be resumed, and may have parts that are certain before the whole input is known.
  fileprivate func streamForParts(_ options: ReadingOptions) -> (any ResumableInput)? {
    guard input.sizeOfFile == nil, let stream = input as? any ResumableInput, stream.canResume else {
      return nil
    }
    switch contents {
    case .stream where format.description.partBoundary != nil && options.select == nil: return stream
    case .elements(.pattern?): return stream
    case .elements(nil) where options.schema != nil: return stream
    default: return nil
    }
  }
}
