internal import CLibXML2

/// The names of a document, found by the addresses of libxml2's interned strings. libxml2 uses the same
/// addresses for the same name.
@safe struct XMLParserNames: ~Copyable {
  private struct Slot {
    var key: Key
    var name: Unretained<XMLName>
    /// True if the local name encodes a prefix, as few names do.
    var encodesPrefix: Bool
  }

  /// The addresses of the strings. The strings themselves are read only at the first occurrence of a name.
  struct Key: Equatable {
    var local: UInt
    var prefix: UInt
    var namespace: UInt
    var encodesDeclaredPrefix: Bool
  }

  private(set) var table: XMLNameTable
  /// The slots. They are allocated for the first name, because most documents are read by `ContentScanner`, which does not need them.
  private var slots: [Slot?] = []
  private var used = 0

  init(table: consuming XMLNameTable) { self.table = table }

  /// Adds names of another table, which count for the limit.
  mutating func add(_ others: [XMLName]) { table.add(others) }

  /// Returns the name for three strings of libxml2; the prefix and the namespace may be nil. The table keeps
  /// the name alive.
  ///
  /// - Parameter isDeclared: Returns true if a prefix is declared around the name.
  mutating func name(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?,
    isDeclared: (String) -> Bool
  ) -> Unretained<XMLName> {
    let usual = unsafe slot(local, prefix, namespace, encodesDeclaredPrefix: false)
    guard usual.encodesPrefix else { return usual.name }
    let name = usual.name.object.local
    guard let encoded = XMLKeyName.encodedPrefix(of: name.utf8.span), isDeclared(encoded) else {
      return usual.name
    }
    return unsafe slot(local, prefix, namespace, encodesDeclaredPrefix: true).name
  }

  /// Returns the slot of a name, adding it if it is new.
  private mutating func slot(
    _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?,
    encodesDeclaredPrefix: Bool
  ) -> Slot {
    let key = Key(
      local: UInt(bitPattern: local), prefix: UInt(bitPattern: prefix),
      namespace: UInt(bitPattern: namespace), encodesDeclaredPrefix: encodesDeclaredPrefix)
    if used * 2 >= slots.count { grow() }
    let index = slot(of: key)
    if let slot = slots[index] { return slot }
    let name = unsafe table.name(
      local: string(local) ?? "", prefix: string(prefix), namespace: string(namespace),
      encodesDeclaredPrefix: encodesDeclaredPrefix)
    let encoded = XMLKeyName.encodedPrefix(of: name.local.utf8.span)
    let slot = Slot(key: key, name: Unretained(name), encodesPrefix: encoded != nil)
    slots[index] = slot
    used += 1
    return slot
  }

  /// Returns the name without a prefix and a namespace.
  mutating func name(_ local: String) -> XMLName { table.name(local: local, prefix: nil, namespace: nil) }

  /// Returns the name of a namespace declaration, `xmlns` or `xmlns:prefix`.
  mutating func declaration(of prefix: UnsafePointer<xmlChar>?) -> XMLName {
    let namespace = XMLNamespace.declarations
    guard let prefix = unsafe string(prefix) else {
      return table.name(local: "xmlns", prefix: nil, namespace: namespace)
    }
    return table.name(local: prefix, prefix: "xmlns", namespace: namespace)
  }

  /// Returns the name of an element in a tree.
  mutating func name(of node: xmlNodePtr) -> Unretained<XMLName> {
    unsafe name(
      local: node.pointee.name, prefix: UnsafePointer(node.pointee.ns?.pointee.prefix),
      namespace: UnsafePointer(node.pointee.ns?.pointee.href), isDeclared: { unsafe declares($0, in: node) })
  }

  /// Returns the name of an attribute in a tree.
  mutating func name(of attribute: xmlAttrPtr) -> XMLName {
    unsafe name(
      local: attribute.pointee.name, prefix: UnsafePointer(attribute.pointee.ns?.pointee.prefix),
      namespace: UnsafePointer(attribute.pointee.ns?.pointee.href),
      isDeclared: { prefix in
        unsafe attribute.pointee.parent.map { unsafe declares(prefix, in: $0) } ?? false
      }
    ).object
  }

  /// Returns the index of the slot with a key, or of the empty slot for it.
  private func slot(of key: Key) -> Int {
    let variant: UInt = key.encodesDeclaredPrefix ? 1 : 0
    let mixed = (key.local ^ key.namespace << 1 ^ key.prefix << 2 ^ variant) &* 0x9e37_79b9_7f4a_7c15
    var index = Int(truncatingIfNeeded: mixed >> 32) & (slots.count - 1)
    while let slot = slots[index], slot.key != key { index = (index + 1) & (slots.count - 1) }
    return index
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: max(64, old.count * 2))
    for case let slot? in old { slots[self.slot(of: slot.key)] = slot }
  }
}

/// Returns true if a prefix is declared in an element of a tree, or around it.
private func declares(_ prefix: String, in node: xmlNodePtr) -> Bool {
  if prefix.equals("xml") { return true }
  return unsafe xmlSearchNs(node.pointee.doc, node, prefix) != nil
}

/// Returns a copy of a libxml2 string, or nil for a null pointer.
func string(_ pointer: UnsafePointer<xmlChar>?) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe String(cString: pointer)
}

/// Returns a copy of a libxml2 string, or nil for a null pointer.
func string(_ pointer: UnsafePointer<CChar>?) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe String(cString: pointer)
}

/// Returns a copy of a libxml2 string, or nil for a null pointer.
func string(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
  unsafe string(UnsafePointer(pointer))
}
