import Ferry

/// `plutil -create`: writes empty dictionaries.
struct CreateVerb: PlutilVerb {
  let options: PlutilOptions
  var inputs: [String] { [] }
  private let format: PlutilFormat

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    format = try PlutilFormat.named(arguments.next(or: "'Create' requires a plist format.")) ?? .xml1
    options = try PlutilOptions(arguments.rest)
    try options.checkNamesNoOutput("-create")
  }

  func process(_ file: String) throws(PlutilError) {
    let emission = PlutilEmission(
      value: .dictionary(KeyedValues()), format: format, isReadable: options.isReadable)
    var bytes = try emission.bytes(from: file, to: file)
    if format.isText, file == "-", options.endsLine { bytes.append(UInt8(ascii: "\n")) }
    try PlutilOutput(creating: file).write(bytes)
  }
}
