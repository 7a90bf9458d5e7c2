import Ferry

/// The options for reading the inputs of a run, each of which gets those that its format can have. An option that no input can have is
/// refused by the first one.
///
///     ferry find Ada a.json b.csv --delimiter ';'     reads b.csv with the option
///     ferry find Ada a.json --delimiter ';'           the options for CSV cannot be used, because the input is json
struct FittedReading {
  /// The options of all inputs together.
  let all: ReadingOptions
  /// True to leave out the options for CSV, and the encoding of texts, where they have no effect.
  private let leavesOutCSV, leavesOutEncoding: Bool

  /// Finds the options that some input can have. In a folder, files of any formats are expected.
  ///
  /// - Parameter ignoresUnused: True to ignore options that no input can have.
  init(_ options: ReadingOptions, of inputs: [FoundInput], ignoresUnused: Bool = false) {
    var options = options
    if let first = inputs.first { options.declaredFormats = first.declaredFormats }
    if !ignoresUnused { options.xml.refuseOtherFormats(of: inputs) }
    all = options
    let isAnyFormat = ignoresUnused || inputs.contains(where: \.isInFolder)
    /// Returns true if an option is given that some input can have, or may have as far as is known before it is read.
    func isLeftOut(_ isGiven: Bool, _ canHave: (Format) -> Bool) -> Bool {
      guard isGiven, options.format == nil else { return false }
      return isAnyFormat || inputs.count > 1 && inputs.contains { $0.format.map(canHave) ?? true }
    }
    leavesOutCSV = isLeftOut(options.csv != CSVReadingOptions(), \.hasTypedColumns)
    leavesOutEncoding = isLeftOut(options.encoding != nil, \.hasEncoding)
  }

  /// Creates the options for files of any formats, such as those in a folder.
  init(ofAnyFormat options: ReadingOptions) {
    all = options
    leavesOutCSV = options.format == nil && options.csv != CSVReadingOptions()
    leavesOutEncoding = options.format == nil && options.encoding != nil
  }

  /// Returns the options for reading an input.
  func options(for input: FoundInput) -> ReadingOptions {
    var options = all
    fit(&options, to: input)
    return options
  }

  /// Leaves out the options that have no effect on an input, and adds the formats that document types declare.
  func fit(_ options: inout ReadingOptions, to input: FoundInput) {
    options.declaredFormats = input.declaredFormats
    guard leavesOutCSV || leavesOutEncoding, let format = input.format else { return }
    if leavesOutCSV, !format.hasTypedColumns { options.csv = CSVReadingOptions() }
    if leavesOutEncoding, !format.hasEncoding { options.encoding = nil }
  }
}
