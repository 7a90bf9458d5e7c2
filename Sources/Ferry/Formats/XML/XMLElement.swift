/// The start of an element: its name, place and attributes.
///
/// It lives in storage that the reader uses again for the next element, and so cannot be kept; what is wanted
/// later is copied out of it.
///
///     override func didStart(_ element: borrowing XMLElement) throws(Failure) {
///       id = element.attribute("id")
///     }
public struct XMLElement: ~Copyable, ~Escapable {
  private let unretainedName: Unretained<XMLName>
  /// Attributes, then namespace declarations.
  private let attributes: Span<XMLAttributes.Attribute>
  private let values: Span<UInt8>
  /// How many attributes there are.
  public let attributeCount: Int
  private let place: Unretained<ElementPlace>

  /// An element whose attributes, the first `attributeCount` of them, and namespace declarations, the others,
  /// have their values in `values`. The reader keeps the names, and itself, until the element is not used any
  /// more.
  @_lifetime(copy attributes, copy values)
  init(
    name: Unretained<XMLName>, attributes: Span<XMLAttributes.Attribute>, attributeCount: Int,
    values: Span<UInt8>,
    place: Unretained<ElementPlace>
  ) {
    unretainedName = name
    self.attributes = attributes
    self.attributeCount = attributeCount
    self.values = values
    self.place = place
  }

  /// The element's name.
  public var name: XMLName { unretainedName.object }

  /// The numbers of the name and of its table.
  var nameNumber: (name: Int, table: Int) { unretainedName.lend { ($0.number, $0.table) } }

  /// Where the element's `<` is.
  public var position: Position { place.object.elementPosition }

  /// The name of an attribute, counted from 0 in the order of the document.
  public func attributeName(_ index: Int) -> XMLName { attributes[index].name }

  /// The value of an attribute, entities and white space treated as XML asks.
  @_lifetime(copy self)
  public func attributeValue(_ index: Int) -> Text {
    let attribute = attributes[index]
    let value = values.extracting(attribute.start..<attribute.end)
    return Text(checked: value, isASCII: value.isASCII)
  }

  /// The value of the first attribute with this local name, whatever its namespace.
  public func attribute(_ local: String) -> String? {
    for index in 0..<attributeCount where attributes[index].name.local.equals(local) {
      return String(attributeValue(index))
    }
    return nil
  }

  /// How many namespaces are declared on this element.
  public var declarationCount: Int { attributes.count - attributeCount }

  /// The name of a namespace declaration as it is written, `xmlns` or `xmlns:prefix`.
  public func declarationName(_ index: Int) -> XMLName { attributeName(attributeCount + index) }

  /// The namespace of a declaration.
  @_lifetime(copy self)
  public func declarationValue(_ index: Int) -> Text { attributeValue(attributeCount + index) }
}

/// The attributes and namespace declarations of one element at a time, in storage that is used again.
struct XMLAttributes {
  /// A name, and where in `values` its value is.
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

/// Knows where the element being read begins; asked only when somebody wants to know.
class ElementPlace {
  var elementPosition: Position { Position() }
}
