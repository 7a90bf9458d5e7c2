import Ferry

/// The conversion of a run with the facts that all inputs have in common, such as the shape of their XML and the inferred types of columns.
struct CommonConversion: Sendable {
  private(set) var conversion: Conversion
  /// The options for reading that each input can have.
  let reading: FittedReading

  /// Reads the inputs as far as their conversions depend on all of them.
  ///
  /// - Parameters:
  ///   - conversion: The conversion that the command describes.
  ///   - standardInput: The standard input, if the conversions depend on its contents; otherwise nil.
  init(
    _ conversion: Conversion, of inputs: [FoundInput], _ command: ConvertCommand, to target: ConversionTarget,
    _ types: DocumentTypes, _ claims: OutputClaims, standardInput: FileInput?
  ) {
    let common = Self.notingShape(conversion, of: inputs, command, claims, standardInput)
    (self.conversion, reading) = (common, FittedReading(common.reading, of: inputs))
    inferInCommon(from: inputs, command, target, types, standardInput)
    // Several inputs are converted at the same time, each by one thread.
    self.conversion.threads = inputs.count == 1 ? command.jobs ?? Terminal.processors : 1
  }

  /// Returns a conversion with the shape of all documents of XML, and with the names of joined records.
  private static func notingShape(
    _ conversion: Conversion, of inputs: [FoundInput], _ command: ConvertCommand, _ claims: OutputClaims,
    _ standardInput: FileInput?
  ) -> Conversion {
    var conversion = conversion
    let files =
      command.join ? joinedFiles(inputs, claims.regularInputs, conversion.reading) : claims.regularInputs
    conversion.noteCommonShape(
      ofFiles: files, standardInput: standardInput, threads: command.jobs ?? Terminal.processors,
      joinsRecords: command.join, splitsRecords: command.splits)
    if command.join { conversion.noteCommonNames(ofFiles: files, standardInput: standardInput) }
    return conversion
  }

  /// Returns the files among those of the inputs whose records are joined: files of other kinds in a folder are skipped.
  private static func joinedFiles(
    _ inputs: [FoundInput], _ files: [(path: String, isRegular: Bool)], _ options: ReadingOptions
  ) -> [(path: String, isRegular: Bool)] {
    zip(inputs, files).filter { input, _ in
      do throws(FerryError) { try input.checkContents(options) } catch { return !input.isOfOtherKind(error) }
      return true
    }.map(\.1)
  }

  /// Infers the types of columns, or a schema, from all inputs without a schema.
  private mutating func inferInCommon(
    from inputs: [FoundInput], _ command: ConvertCommand, _ target: ConversionTarget, _ types: DocumentTypes,
    _ standardInput: FileInput?
  ) {
    let (options, reading, given) = (conversion.reading, reading, conversion)
    let found = Dictionary(inputs.map { (Array($0.path.utf8), $0) }) { first, _ in first }
    let inferring = given.infersInCommon ? inputs.map(\.path) : []
    conversion.inferInCommon(
      fromFiles: inferring.filter { name in
        given.withSchema(ofInput: name, target, types).reading.schema == nil
          && (!given.infersSchema
            || types.zippedPackage(at: name, from: options.format, budget: options.budget) == nil)
      }, standardInput: standardInput, joinsRecords: command.join
    ) { name in
      var fitted = options
      if let input = found[Array(name.utf8)] { reading.fit(&fitted, to: input) }
      return fitted
    }
  }
}
