/// A writer of values in BadgerFish, or in the convention of xmltodict, as XML. It holds the value until its end, because the attributes and
/// the text of an element may follow its children.
final class ConventionWriter: ForwardingSink {
  private let builder: ValueBuilder
  private var printer: ConventionPrinter

  /// Creates a writer of a single document.
  ///
  /// - Parameter names: The names of the element around the value, unless it is the key of its only entry, and of the elements of a list.
  init(
    _ convention: XMLConvention, to output: any ByteOutput, names: XMLListNames, indentation: Indentation?,
    losses: LossReport
  ) throws(FerryError) {
    let xml = try XMLPrinter(to: output, indentation: indentation)
    printer = ConventionPrinter(xml, convention, names, losses: losses)
    builder = ValueBuilder()
    super.init(to: builder)
  }

  override func finish() throws(FerryError) { try printer.write(builder.result()) }
}
