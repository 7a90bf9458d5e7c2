/// A writer of values in BadgerFish, or in the convention of xmltodict, as XML. It holds the value until its end, because the attributes and
/// the text of an element may follow its children.
final class ConventionWriter: ForwardingSink {
  private let builder: ValueBuilder
  private var printer: ConventionPrinter

  /// Creates a writer of a single document.
  ///
  /// - Parameter root: The name of the element around the value, or nil for the key of its only entry.
  init(
    _ convention: XMLConvention, to output: any ByteOutput, root: String?, indentation: Indentation?,
    losses: LossReport
  ) throws(FerryError) {
    let xml = try XMLPrinter(to: output, indentation: indentation)
    printer = ConventionPrinter(xml, convention, root: root, losses: losses)
    builder = ValueBuilder()
    super.init(to: builder)
  }

  override func finish() throws(FerryError) { try printer.write(builder.result()) }
}
