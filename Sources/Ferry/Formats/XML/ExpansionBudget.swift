internal import CLibXML2

/// The count of the bytes that the declarations of a document add to it: the content of entities, and default attributes.
@safe struct ExpansionBudget {
  private let budget: Budget
  /// The size of all expanded entities and default attributes, counted at each use.
  private var expanded = 0
  /// The nesting depth of each entity, by the entity's address.
  private var nestings: [UInt: Int] = [:]
  private var declaredDefaults = 0
  /// True if a namespace is declared by default. libxml2 does not tell such declarations from those in a tag.
  private(set) var hasDefaultNamespaces = false

  /// The maximum nesting depth of entities.
  private static let entityDepth = 40

  init(_ budget: Budget) { self.budget = budget }

  /// Counts a use of an entity, before it is expanded.
  ///
  /// - Parameters:
  ///   - count: The number of bytes of the document up to the use.
  ///   - isInDoctype: True for a use in the document type declaration, which may come before the entity's declaration.
  mutating func expand(
    _ entity: xmlEntityPtr, in context: xmlParserCtxtPtr, after count: Int, isInDoctype: Bool
  ) throws(FerryError) {
    if !isInDoctype { _ = unsafe try nesting(of: entity, in: context, inside: []) }
    // libxml2 creates a context for each entity that it reads, which costs as much as a short text.
    try add(unsafe Int(entity.pointee.length) + 256, after: count)
  }

  /// Counts the attributes and namespaces that a start tag has by default. Namespaces in the tag itself are also counted, if
  /// any are declared by default.
  mutating func addDefaults(of tag: XMLPushParser.StartTag, after count: Int) throws(FerryError) {
    // libxml2 compares each default attribute with all others, so its time is counted like bytes.
    var size = unsafe tag.defaultedCount * tag.attributeCount / 4
    if let list = unsafe tag.attributes {
      // Default attributes are the last ones.
      for index in unsafe tag.attributeCount - tag.defaultedCount..<tag.attributeCount {
        guard let start = unsafe list[index * 5 + 3], let end = unsafe list[index * 5 + 4] else { continue }
        size += unsafe Int(xmlStrlen(list[index * 5])) + (end - start) + Budget.valueCost
      }
    }
    if hasDefaultNamespaces, let list = unsafe tag.declarations {
      for index in unsafe 0..<tag.declarationCount {
        size +=
          unsafe Int(xmlStrlen(list[index * 2])) + Int(xmlStrlen(list[index * 2 + 1])) + Budget.valueCost
      }
    }
    try add(size, after: count)
  }

  private mutating func add(_ size: Int, after count: Int) throws(FerryError) {
    expanded += size
    guard expanded <= budget.allowance(forInputBytes: count) else { throw budget.overAmplification }
  }

  /// Checks the content of a declared entity. The attributes in its tags are counted, because libxml2 takes
  /// quadratic time for them.
  func declareEntity(content: Span<UInt8>) throws(FerryError) {
    var scan = StartTagScan()
    scan.scan(content)
    guard scan.attributes <= budget.attributes else {
      throw FerryError(.overBudget(.attributes(budget.attributes)))
    }
  }

  /// Counts a default value for an attribute. Such values may be added to every element, so their number is
  /// limited.
  mutating func declareDefault(of attribute: UnsafePointer<xmlChar>?) throws(FerryError) {
    if let attribute = unsafe attribute {
      let name = unsafe Span(_unsafeStart: attribute, count: Int(xmlStrlen(attribute)))
      if name.isNamespaceDeclaration { hasDefaultNamespaces = true }
    }
    declaredDefaults += 1
    guard declaredDefaults <= budget.attributes else {
      throw FerryError(.overBudget(.attributes(budget.attributes)))
    }
  }

  /// Returns the nesting depth of entities in an entity, counting the entity itself. Refuses an entity that contains itself, or
  /// more than `entityDepth` levels of entities. libxml2 would recurse a thousand levels deep on the stack.
  private mutating func nesting(
    of entity: xmlEntityPtr, in context: xmlParserCtxtPtr, inside outer: [UInt]
  ) throws(FerryError) -> Int {
    let key = UInt(bitPattern: entity)
    if let known = nestings[key] { return known }
    guard !outer.contains(key) else {
      throw FerryError(.xml(.notWellFormed("entities contain each other without end")))
    }
    let tooDeep = FerryError(.overBudget(.entityDepth(Self.entityDepth)))
    guard outer.count < Self.entityDepth else { throw tooDeep }
    var deepest = 0
    if let content = unsafe entity.pointee.content {
      for name in unsafe Span(_unsafeStart: content, count: Int(xmlStrlen(content))).referencedEntities {
        guard let inner = unsafe xmlGetDocEntity(context.pointee.myDoc, name.string) else { continue }
        deepest = max(deepest, unsafe try nesting(of: inner, in: context, inside: outer + [key]))
      }
    }
    guard deepest < Self.entityDepth else { throw tooDeep }
    nestings[key] = deepest + 1
    return deepest + 1
  }
}

extension Span<UInt8> {
  /// The names between `&` and `;` as libxml2 finds them, excluding character references.
  fileprivate var referencedEntities: Set<ExactString> {
    var names: Set<ExactString> = []
    var start: Int?
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "&"): start = index + 1
      case UInt8(ascii: ";"):
        if let start, start < index, self[start] != UInt8(ascii: "#") {
          names.insert(extracting(start..<index).decodedString)
        }
        start = nil
      default: break
      }
    }
    return names
  }
}
