/// A writer of values in the convention of another program as XML. It holds the value until its end, and then sends it to a
/// writer in Ferry's convention.
final class ConventionWriter: ForwardingSink {
  private let convention: XMLConvention
  private let builder: ValueBuilder
  private let writer: XMLValueWriter

  init(_ convention: XMLConvention, to writer: XMLValueWriter) {
    (self.convention, self.writer) = (convention, writer)
    builder = ValueBuilder()
    writer.allowTextBesideElements()
    super.init(to: builder)
  }

  override func finish() throws(FerryError) {
    let value = try builder.result()
    try (convention == .badgerfish ? value.ofBadgerfish(in: [:]) : value.ofXmltodict).replay(into: writer)
    try writer.finish()
  }
}

// The recursion is bounded by the depth of a built value.
extension Value {
  /// The value in Ferry's convention, in which an empty element is an empty text.
  fileprivate var ofXmltodict: Value {
    switch self {
    case .null: return .string("")
    case .array(let values): return .array(values.map(\.ofXmltodict))
    case .dictionary(let entries):
      if entries.count == 1, let text = entries["#text"], text.plainText != nil {
        return text.ofXmltodict
      }
      var converted = KeyedValues()
      for (key, value) in entries { converted[key] = value.ofXmltodict }
      return .dictionary(converted)
    default: return self
    }
  }

  /// Returns a value of BadgerFish in Ferry's convention, in which only an element's own namespaces are declared on it.
  ///
  /// - Parameter scope: The namespaces that the elements around it declare, by prefix.
  fileprivate func ofBadgerfish(in scope: [ExactString: Value]) -> Value {
    switch self {
    case .array(let values): return .array(values.map { $0.ofBadgerfish(in: scope) })
    case .dictionary(let entries):
      var inner = scope
      var (attributes, children) = (KeyedValues(), KeyedValues())
      var text: Value?
      for (key, value) in entries {
        let name = key.plainText ?? ""
        if name.equals("$") {
          text = value
        } else if name.equals("@xmlns"), case .dictionary(let namespaces) = value {
          for (prefix, namespace) in namespaces {
            let prefix = prefix.plainText ?? ""
            guard inner[prefix] != namespace else { continue }
            inner[prefix] = namespace
            attributes[prefix.equals("$") ? "@xmlns" : "@xmlns:" + prefix] = namespace
          }
        } else if name.utf8.first == UInt8(ascii: "@") {
          attributes[key] = value
        } else {
          children[key] = value
        }
      }
      guard !attributes.isEmpty || !children.isEmpty else { return text ?? .string("") }
      for (key, value) in children { attributes[key] = value.ofBadgerfish(in: inner) }
      if let text { attributes["#text"] = text }
      return .dictionary(attributes)
    default: return self
    }
  }
}
