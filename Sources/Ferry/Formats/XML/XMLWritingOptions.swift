/// The options for XML to write without a schema.
///
///     var conversion = Conversion(to: .xml)
///     conversion.writing.xml.types = .attributes
public struct XMLWritingOptions: Hashable, Sendable {
  /// The convention by which values become elements.
  public var convention = XMLConvention.ferry
  /// The notation of types.
  public var types = XMLTypeNotation.none

  /// Creates the default options.
  public init() {}

  /// Creates the options for documents that are read with other options: with their convention and notation of types.
  public init(readWith options: XMLReadingOptions) {
    (convention, types) = (options.convention, options.types)
  }

  /// True if the options do not ask for another form of a document.
  var isUsual: Bool { convention == .ferry && types == .none }
}
