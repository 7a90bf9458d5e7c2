/// The data of a page as JSON: tables in columns, which the script of the page reads.
struct PageBlock {
  private let writer: JSONWriter

  /// Writes an object whose entries a function adds.
  static func write(
    to output: any ByteOutput, _ entries: (PageBlock) throws(FerryError) -> Void
  ) throws(FerryError) {
    let block = PageBlock(writer: JSONWriter(to: ScriptOutput(to: output)))
    try block.object(entries)
    try block.writer.finish()
  }

  // MARK: Values

  func object(_ entries: (PageBlock) throws(FerryError) -> Void) throws(FerryError) {
    try writer.beginDictionary(count: nil)
    try entries(self)
    try writer.endDictionary()
  }

  func text(_ text: String) throws(FerryError) { try writer.string(text) }
  func number(_ number: Int) throws(FerryError) { try writer.integer(Int128(number)) }

  func list<Element>(
    of elements: some Sequence<Element>, _ write: (Element) throws(FerryError) -> Void
  ) throws(FerryError) {
    try writer.beginArray(count: nil)
    for element in elements { try write(element) }
    try writer.endArray()
  }

  // MARK: Entries

  func key(_ name: String) throws(FerryError) { try writer.key(name) }

  func add(_ name: String, _ text: String) throws(FerryError) {
    try key(name)
    try self.text(text)
  }

  func add(_ name: String, _ number: Int) throws(FerryError) {
    try key(name)
    try self.number(number)
  }

  func add(_ name: String, _ numbers: some Sequence<Int>) throws(FerryError) {
    try key(name)
    try list(of: numbers, number)
  }

  func add(_ name: String, _ texts: some Sequence<String>) throws(FerryError) {
    try key(name)
    try list(of: texts, text)
  }

  func add(_ name: String, _ entries: (PageBlock) throws(FerryError) -> Void) throws(FerryError) {
    try key(name)
    try object(entries)
  }

  /// Adds an array of objects.
  func add<Element>(
    _ name: String, each elements: some Sequence<Element>,
    _ entries: (PageBlock, Element) throws(FerryError) -> Void
  ) throws(FerryError) {
    try key(name)
    try list(of: elements) { element throws(FerryError) in
      try object { block throws(FerryError) in try entries(block, element) }
    }
  }

  // MARK: Values of a file

  /// Adds the values of a file.
  func add(_ name: String, _ nodes: PageNodes) throws(FerryError) {
    try add(name) { block throws(FerryError) in
      try block.add("kinds", String(decoding: nodes.kinds, as: UTF8.self))
      try block.add("keys", nodes.keys)
      try block.add("values", nodes.values)
      try block.add("names", nodes.names.all)
      try block.add("texts", nodes.texts.all)
      try block.add("cut", pairs: nodes.cut.map { ($0.node, $0.byteCount) })
      try block.add("hidden", pairs: nodes.hidden.map { ($0.node, $0.count) })
      try block.add("bases", each: nodes.bases) { block, base throws(FerryError) in
        try block.add("node", base.node)
        if let path = base.path { try block.add("path", path) }
      }
      try block.add("classes", each: nodes.classes) { block, type throws(FerryError) in
        try block.add("name", type.name)
        try block.add("superclasses", type.superclasses)
      }
      try block.add(nodes.objects)
      try block.add(nodes.data)
    }
  }

  /// Adds a table of two columns as one array, in which the numbers of a row follow each other.
  private func add(_ name: String, pairs: [(Int, Int)]) throws(FerryError) {
    try add(name, pairs.flatMap { [$0.0, $0.1] })
  }

  private func add(_ objects: [PageNodes.Object]) throws(FerryError) {
    try add("objects") { block throws(FerryError) in
      try block.add("nodes", objects.map(\.node))
      try block.add("classes", objects.map { $0.type ?? -1 })
      try block.add("identities", objects.map { $0.identity ?? -1 })
    }
  }

  private func add(_ data: [PageNodes.DataValue]) throws(FerryError) {
    try add("data", each: data) { block, value throws(FerryError) in
      try block.add("node", value.node)
      try block.add("bytes", value.byteCount)
      try block.add("summary", value.summary)
      guard let image = value.image else { return }
      try block.add("type", image.type)
      try block.add("base64", image.base64)
    }
  }
}

/// An output of JSON within a script element of HTML. It escapes `<`, because `</script>` would end the element and `<!--` would change
/// its meaning, and U+2028 and U+2029, which end a line in JavaScript. In JSON, all of these occur only in strings.
final class ScriptOutput: ByteOutput {
  private let output: any ByteOutput

  init(to output: any ByteOutput) { self.output = output }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    var escaped: [UInt8] = []
    var start = 0
    for index in bytes.indices {
      guard let (escape, length) = Self.escape(at: index, in: bytes) else { continue }
      escaped.append(copying: bytes.extracting(start..<index))
      escaped.append(copying: escape)
      start = index + length
    }
    guard start > 0 else { return try output.write(bytes) }
    escaped.append(copying: bytes.extracting(start..<bytes.count))
    try output.write(escaped.span)
  }

  private static func escape(at index: Int, in bytes: Span<UInt8>) -> (escape: StaticString, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "<"): return ("\\u003c", 1)
    // A character that is split between two pieces stays as it is, which `JSON.parse` takes.
    case 0xe2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0xa8:
      return ("\\u2028", 3)
    case 0xe2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0xa9:
      return ("\\u2029", 3)
    default: return nil
    }
  }
}
