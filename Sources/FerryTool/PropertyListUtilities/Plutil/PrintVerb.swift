/// `plutil -p`: prints property lists to read.
struct PrintVerb: PlutilVerb {
  let options: PlutilOptions

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    options = try PlutilOptions(arguments.rest)
    try options.checkNamesNoOutput("-p")
    if options.isSilent { StandardError.write("-s doesn't make a lot of sense with -p.") }
  }

  func process(_ file: String) throws(PlutilError) {
    let text = PropertyListDescription(of: try read(file).value).text
    if !Plutil.print(text) { throw PlutilError("Could not write") }
  }
}
