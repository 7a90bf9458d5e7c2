/// A schema as XML Schema (1.0), which describes the XML that Ferry writes of the records.
///
///     <xs:element name="library"><xs:complexType><xs:sequence>
///       <xs:element ref="book" minOccurs="0" maxOccurs="unbounded"/>
///
/// The elements of a record may have any order. XML Schema cannot say that for elements that occur several times, so that it
/// does not demand any element of a record that has such elements.
///
/// One file describes the elements of one namespace: that of the records. Elements of other namespaces may have any content.
public struct XMLSchemaExport: Hashable, Sendable {
  private let schema: Schema
  private let enclosingTypes: [ExactString: RecordType]
  private let names: SchemaNames?
  /// The namespace that is described; nil if the records have none.
  private let target: String?

  /// Creates the export of a schema.
  public init(_ schema: Schema) {
    self.schema = schema
    enclosingTypes = schema.record.enclosingTypes
    names = schema.names
    target = names?.uri(ofElement: schema.record.element)
  }

  /// True if an element is in the namespace that is described.
  private func isOwn(_ element: String) -> Bool { (names?.uri(ofElement: element)).equals(target) }

  /// Returns the namespace of an element that is not described; nil if it has none, or is described.
  private func otherNamespace(of element: String) -> String? {
    isOwn(element) ? nil : names?.uri(ofElement: element)
  }

  /// The parts of the schema that XML Schema does not have, in sentences.
  public var notes: [String] {
    var notes = schema.record.notesOnExport(to: "XML Schema")
    if schema.record.hasSeveralElements {
      notes.append("XML Schema does not demand elements beside those that occur several times")
    }
    if schema.record.hasDictionary {
      notes.append("XML Schema allows any elements as the entries of a dictionary")
    }
    if schema.record.elementNames.contains(where: { otherNamespace(of: $0) != nil }) {
      notes.append("XML Schema allows any elements of other namespaces than that of the records")
    }
    if !isOwn(schema.collectionElement) {
      notes.append("XML Schema does not describe the element around the records, which has another namespace")
    }
    return notes
  }

  /// The text of the XML Schema.
  public var text: String {
    var writer = Writer()
    writer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    let own = target.map { namespaces([$0]) }.map { " xmlns=\"\($0)\" targetNamespace=\"\($0)\"" } ?? ""
    writer.element(
      "xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"\(own) elementFormDefault=\"qualified\""
    ) { writer in
      let record = schema.record.element.withoutPrefix
      if !schema.collectionElement.equals(schema.record.element), isOwn(schema.collectionElement) {
        writer.element("xs:element name=\"\(schema.collectionElement.withoutPrefix)\"") { writer in
          writer.element("xs:complexType") { writer in
            writer.element("xs:sequence") { writer in
              writer.line("<xs:element ref=\"\(record)\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>")
            }
            if let version = schema.collectionVersion {
              writer.line("<xs:attribute name=\"\(version)\" type=\"xs:integer\"/>")
            }
          }
        }
      }
      writer.line("<xs:element name=\"\(record)\" type=\"\(record)\"/>")
      add(schema.record, named: record, to: &writer)
      for (element, type) in enclosingTypes.sorted(by: { $0.key.string.precedes($1.key.string) })
      where !element.string.equals(schema.record.element) && isOwn(element.string) {
        add(type, named: element.string.withoutPrefix, to: &writer)
      }
      addSimpleTypes(to: &writer)
    }
    return writer.text
  }

  /// Writes the types of values that XML Schema itself does not have, if elements or attributes use them.
  private func addSimpleTypes(to writer: inout Writer) {
    for type in [
      Self.integerType, Self.booleanType, Self.uuidType, Self.realType, Self.decimalType, Self.dateType,
    ] {
      addUnion(type + Self.orEmpty, of: type, "<xs:length value=\"0\"/>", to: &writer)
    }
    addSimpleType(
      Self.integerType, of: "xs:integer",
      ["<xs:minInclusive value=\"\(Int64.min)\"/>", "<xs:maxInclusive value=\"\(UInt64.max)\"/>"], to: &writer
    )
    let words = ["[Tt][Rr][Uu][Ee]", "[Ff][Aa][Ll][Ss][Ee]", "[Yy][Ee][Ss]", "[Nn][Oo]", "0", "1"]
    addSimpleType(
      Self.booleanType, of: "xs:token", ["<xs:pattern value=\"\(words.joined(separator: "|"))\"/>"],
      to: &writer)
    let digit = "[0-9A-Fa-f]"
    addSimpleType(
      Self.uuidType, of: "xs:string",
      ["<xs:pattern value=\"\(digit){8}(-\(digit){4}){3}-\(digit){12}\"/>"], to: &writer)
    for (name, type, pattern) in [
      (Self.realType, "xs:double", "[+-]?([Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?|[Nn][Aa][Nn])"),
      (Self.decimalType, "xs:decimal", #"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[Ee][+-]?[0-9]+"#),
      (Self.dateType, "xs:dateTime", Self.otherDates),
    ] {
      addUnion(name, of: type, "<xs:pattern value=\"\(pattern)\"/>", to: &writer)
    }
  }

  /// A pattern of the dates that Ferry reads: also those without a time, seconds or a zone.
  private static let otherDates =
    "[+-]?[0-9]{4,9}-[0-9]{2}-[0-9]{2}"
    + "([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?([Zz]| ?[+-][0-9]{2}(:?[0-9]{2})?)?)?"

  /// Writes a type with more texts than another one, if elements or attributes use it.
  private func addUnion(_ name: String, of type: String, _ facet: String, to writer: inout Writer) {
    guard writer.text.contains("\"\(name)\"") else { return }
    writer.element("xs:simpleType name=\"\(name)\"") { writer in
      writer.element("xs:union memberTypes=\"\(type)\"") { writer in
        writer.element("xs:simpleType") { writer in
          writer.element("xs:restriction base=\"xs:token\"") { writer in
            writer.line(facet)
          }
        }
      }
    }
  }

  private func addSimpleType(_ name: String, of base: String, _ facets: [String], to writer: inout Writer) {
    guard writer.text.contains("\"\(name)\"") else { return }
    writer.element("xs:simpleType name=\"\(name)\"") { writer in
      writer.element("xs:restriction base=\"\(base)\"") { writer in
        for facet in facets { writer.line(facet) }
      }
    }
  }

  // Types of the schema itself have names that no element has.
  private static let integerType = "ferry.integer"
  private static let booleanType = "ferry.boolean"
  private static let uuidType = "ferry.uuid"
  private static let realType = "ferry.real"
  private static let decimalType = "ferry.decimal"
  private static let dateType = "ferry.date"
  /// The end of the name of a type that also has the empty text.
  private static let orEmpty = ".or-empty"

  /// A writer of indented elements.
  private struct Writer {
    var text = ""
    private var depth = 0

    mutating func line(_ line: String) { text += String(repeating: "  ", count: depth) + line + "\n" }

    mutating func element(_ tag: String, _ content: (inout Writer) -> Void) {
      line("<\(tag)>")
      depth += 1
      content(&self)
      depth -= 1
      line("</\(tag.prefix { $0 != " " })>")
    }
  }

  /// Writes the type of a record, with a name if elements refer to it.
  private func add(_ record: RecordType, named name: String? = nil, to writer: inout Writer) {
    writer.element("xs:complexType" + (name.map { " name=\"\($0)\"" } ?? "")) { writer in
      if let text = record.textField {
        writer.element("xs:simpleContent") { writer in
          let type = simpleType(of: record.fields[text]) ?? "xs:string"
          writer.element("xs:extension base=\"\(type)\"") { writer in addAttributes(of: record, to: &writer) }
        }
        return
      }
      let elements = record.fields.indices.filter { record.fields[$0].elementName != nil }
      let others = namespaces(elements.compactMap { otherNamespace(of: record.fields[$0].elementName ?? "") })
      if elements.contains(where: { record.fields[$0].mayBeElements }) || !others.isEmpty {
        writer.element("xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\"") { writer in
          for index in elements where otherNamespace(of: record.fields[index].elementName ?? "") == nil {
            add(record.fields[index], occurs: "", to: &writer)
          }
          if !others.isEmpty { addAny(of: others, occurs: "", to: &writer) }
        }
      } else if !elements.isEmpty {
        writer.element("xs:all") { writer in
          for index in elements {
            let isRequired = record.fields[index].isRequired && index != record.versionField
            add(record.fields[index], occurs: isRequired ? "" : " minOccurs=\"0\"", to: &writer)
          }
        }
      }
      addAttributes(of: record, to: &writer)
    }
  }

  private func addAttributes(of record: RecordType, to writer: inout Writer) {
    var others = [XMLNamespace.xml]
    for (index, field) in record.fields.enumerated() {
      guard case .attribute(let name) = field.xml, !name.begins(with: "xml:") else { continue }
      let uri = names?.uri(ofAttribute: name)
      if let uri, !target.equals(uri) {
        others.append(uri)
        continue
      }
      let use = field.isRequired && index != record.versionField ? " use=\"required\"" : ""
      let form = uri == nil ? "" : " form=\"qualified\""
      let type = simpleType(of: field) ?? "xs:string"
      writer.line("<xs:attribute name=\"\(name.withoutPrefix)\"\(form) type=\"\(type)\"\(use)/>")
    }
    // The schema of the namespace of xml:lang, or of another one, would have to be imported from another file.
    writer.line("<xs:anyAttribute namespace=\"\(namespaces(others))\" processContents=\"skip\"/>")
  }

  /// Returns different namespaces as a list in an attribute.
  private func namespaces(_ uris: [String]) -> String {
    var seen: Set<ExactString> = []
    let different = uris.filter { seen.insert(ExactString($0)).inserted }
    return different.map(Self.escaped).joined(separator: " ")
  }

  /// Returns a text as it is written in an attribute.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    // A character may be one of these with a combining mark.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Writes `xs:any`, which permits all elements of other namespaces.
  private func addAny(of namespaces: String, occurs: String, to writer: inout Writer) {
    writer.line("<xs:any namespace=\"\(namespaces)\"\(occurs) processContents=\"skip\"/>")
  }

  private func add(_ field: RecordField, occurs: String, to writer: inout Writer) {
    guard let name = field.elementName else { return }
    if case .list(let items, _) = field.type, field.isUnwrappedList {
      return addElement(name, items, occurs: occurs, to: &writer)
    }
    addElement(name, field.type, simpleType(of: field), occurs: occurs, to: &writer)
  }

  /// Writes an element.
  ///
  /// - Parameter simple: The name of its type if it is that of a field with a scalar.
  private func addElement(
    _ name: String, _ type: FieldType, _ simple: String? = nil, occurs: String, to writer: inout Writer
  ) {
    if let uri = otherNamespace(of: name) {
      return addAny(of: namespaces([uri]), occurs: occurs, to: &writer)
    }
    let occurs = (isOwn(name) ? "" : " form=\"unqualified\"") + occurs
    let name = name.withoutPrefix
    if let simple = simple ?? simpleType(of: type) ?? typeName(of: type) {
      return writer.line("<xs:element name=\"\(name)\" type=\"\(simple)\"\(occurs)/>")
    }
    writer.element("xs:element name=\"\(name)\"\(occurs)") { writer in
      switch type {
      case .record(let record): add(record, to: &writer)
      case .list(let items, let element):
        writer.element("xs:complexType") { writer in
          writer.element("xs:sequence") { writer in
            addElement(element, items, occurs: " minOccurs=\"0\" maxOccurs=\"unbounded\"", to: &writer)
          }
        }
      default:
        writer.element("xs:complexType") { writer in
          writer.element("xs:sequence") { writer in
            writer.line("<xs:any minOccurs=\"0\" maxOccurs=\"unbounded\" processContents=\"skip\"/>")
          }
        }
      }
    }
  }

  /// Returns the name of a type with a name of its own, or nil.
  private func typeName(of type: FieldType) -> String? {
    switch type {
    case .record(let record):
      enclosingTypes[record.element] == record && isOwn(record.element) ? record.element.withoutPrefix : nil
    case .enclosing(let element): isOwn(element) ? element.withoutPrefix : "xs:anyType"
    case .any: "xs:anyType"
    default: nil
    }
  }

  /// Returns the name of the type of a field with a scalar; nil for another field. The empty text is null, if it is not a value. XML Schema
  /// takes it for a URL.
  private func simpleType(of field: RecordField) -> String? {
    let type = simpleType(of: field.type)
    return field.takesEmptyElementAsNull && field.type != .url ? type.map { $0 + Self.orEmpty } : type
  }

  private func simpleType(of type: FieldType) -> String? {
    switch type {
    case .string: "xs:string"
    case .integer: Self.integerType
    case .real: Self.realType
    case .decimal: Self.decimalType
    case .boolean: Self.booleanType
    case .date: Self.dateType
    case .data: "xs:base64Binary"
    case .url: "xs:anyURI"
    case .uuid: Self.uuidType
    case .record, .list, .dictionary, .enclosing, .any: nil
    }
  }
}

extension RecordType {
  /// The names of the elements of the fields, and of those inside them.
  fileprivate var elementNames: [String] {
    fields.flatMap { field in
      (field.elementName.map { [$0] } ?? []) + field.type.itemElements
        + (field.type.record?.elementNames ?? [])
    }
  }

  fileprivate var hasSeveralElements: Bool {
    fields.contains { $0.mayBeElements || $0.type.record?.hasSeveralElements == true }
  }

  fileprivate var hasDictionary: Bool {
    fields.contains { field in
      if case .dictionary = field.type { true } else { field.type.record?.hasDictionary == true }
    }
  }
}

extension FieldType {
  /// The names of the elements of lists.
  fileprivate var itemElements: [String] {
    if case .list(let items, let element) = self { [element] + items.itemElements } else { [] }
  }
}
