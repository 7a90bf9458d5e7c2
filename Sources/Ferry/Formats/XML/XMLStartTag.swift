/// The start of an element: its name, source location and attributes.
///
/// The element is valid only during the call, because the reader reuses its memory. Copy what is needed
/// later:
///
///     override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
///       id = element.attribute("id")
///     }
public struct XMLStartTag: ~Copyable, ~Escapable {
  private let unretainedName: Unretained<XMLName>
  /// The attributes, followed by the namespace declarations.
  private let attributes: Span<XMLAttributes.Attribute>
  private let values: Span<UInt8>
  /// The number of attributes.
  public let attributeCount: Int
  /// True if the parser has left out a declaration of the prefix `xml`, which needs none.
  let leavesOutDeclaration: Bool
  private let locator: Unretained<ElementLocator>

  /// Creates an element.
  ///
  /// - Parameters:
  ///   - name: The name, which the reader keeps alive while the element is in use.
  ///   - attributes: The attributes, followed by the namespace declarations.
  ///   - attributeCount: The number of attributes without declarations.
  ///   - values: The bytes that contain the values.
  ///   - leavesOutDeclaration: True if the parser has left out a declaration of the prefix `xml`.
  @_lifetime(copy attributes, copy values)
  init(
    name: Unretained<XMLName>, attributes: Span<XMLAttributes.Attribute>, attributeCount: Int,
    values: Span<UInt8>, locator: Unretained<ElementLocator>, leavesOutDeclaration: Bool = false
  ) {
    self.leavesOutDeclaration = leavesOutDeclaration
    unretainedName = name
    self.attributes = attributes
    self.attributeCount = attributeCount
    self.values = values
    self.locator = locator
  }

  /// The name of the element.
  public var name: XMLName { unretainedName.object }

  /// The number of the name, and the number of its table.
  var nameNumber: (name: Int, table: Int) { unretainedName.lend { ($0.number, $0.table) } }

  /// The source location of the element's `<`.
  public var location: InputLocation { locator.object.elementLocation }

  /// Returns the name of an attribute. Attributes are counted from 0 in document order.
  ///
  /// - Precondition: `index` is less than `attributeCount`, and not negative.
  public func attributeName(_ index: Int) -> XMLName { attributes[index].name }

  /// Returns the value of an attribute after entities were expanded and white space was normalized.
  ///
  /// - Precondition: `index` is less than `attributeCount`, and not negative.
  @_lifetime(copy self)
  public func attributeValue(_ index: Int) -> BorrowedText {
    let attribute = attributes[index]
    let value = values.extracting(attribute.start..<attribute.end)
    return BorrowedText(checked: value, isASCII: value.isASCII)
  }

  /// Returns the value of the first attribute with a local name in any namespace, or nil.
  public func attribute(_ local: String) -> String? {
    for index in 0..<attributeCount where attributes[index].name.local.equals(local) {
      return String(attributeValue(index))
    }
    return nil
  }

  /// The number of namespace declarations on this element.
  public var declarationCount: Int { attributes.count - attributeCount }

  /// Returns the name of a namespace declaration as written: `xmlns` or `xmlns:prefix`.
  public func declarationName(_ index: Int) -> XMLName { attributeName(attributeCount + index) }

  /// Returns the namespace that a declaration binds.
  @_lifetime(copy self)
  public func declarationValue(_ index: Int) -> BorrowedText { attributeValue(attributeCount + index) }
}

/// The attributes and namespace declarations of the current element, in memory that is reused.
struct XMLAttributes {
  /// An attribute: its name, and the range of its value in `values`.
  struct Attribute {
    var name: XMLName
    var start: Int
    var end: Int
  }

  private(set) var list: [Attribute] = []
  private(set) var values: [UInt8] = []

  mutating func removeAll() {
    list.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  mutating func add(_ name: XMLName, _ value: Span<UInt8>) {
    let start = values.count
    values.append(copying: value)
    list.append(Attribute(name: name, start: start, end: values.count))
  }
}

/// A provider of the source location of the current element, computed on demand.
class ElementLocator {
  var elementLocation: InputLocation { InputLocation() }

  /// Returns the source location of the `<` at an offset in the input of a batch. It is empty if it is unknown.
  func location(ofMarkupAt offset: Int?) -> InputLocation { InputLocation() }
}
