import Ferry

/// `plutil -convert`: writes property lists in another format.
struct ConvertVerb: PlutilVerb {
  let options: PlutilOptions
  /// The format; nil for that of each file.
  private let format: PlutilFormat?
  private let hasHeader: Bool

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    format = try PlutilFormat.named(arguments.next(or: "Missing format specifier for command."))
    hasHeader = arguments.take("-header")
    guard !hasHeader || format == .objc else {
      throw PlutilError("-header is only valid for objc literal conversions.")
    }
    options = try PlutilOptions(arguments.rest)
    guard !hasHeader || options.output != "-" else {
      throw PlutilError("-header writes a second file, so the output cannot be the standard output.")
    }
  }

  func process(_ file: String) throws(PlutilError) {
    if let target = format?.streamedFormat, try stream(file, to: target) { return }
    try rewrite(file, as: format, hasHeader: hasHeader)
  }

  /// Converts a property list in XML or binary without its value in memory. Returns false, and reads nothing, if the file
  /// has another syntax.
  private func stream(_ file: String, to target: Format) throws(PlutilError) -> Bool {
    guard file != "-" else { return false }
    let output = try PlutilOutput(of: file, options, as: format)
    let converted = MemoryOutput()
    do throws(FerryError) {
      let input = try FileInput(path: file)
      guard input.isRewindable else { return false }
      let source = PropertyListFile.propertyListFormat(of: try input.peek(upTo: 1024))
      guard source != .openStepPropertyList, let writer = try target.valueWriter(to: converted) else {
        return false
      }
      let sink = target == .xmlPropertyList ? writer.receivingSortedKeys : writer
      try PropertyListFile.send(input, as: source, into: sink)
    } catch {
      // Reading the value finds the same error, in the words of the other verbs.
      return false
    }
    try output.write(converted.bytes)
    return true
  }
}
