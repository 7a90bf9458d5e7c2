internal import CLibXML2

/// Entities that XML documents may refer to without declaring them, such as `&uuml;`.
///
///     var entities = try XMLEntities(dtd: "dblp.dtd")
///     entities.includesHTML = true
///
/// The declarations of a document come first.
public struct XMLEntities: Hashable, Sendable {
  /// True to include the 253 named characters of HTML 4 and XHTML.
  public var includesHTML = false
  /// The replacement texts of declared entities.
  private var declared: [ExactString: [UInt8]] = [:]

  /// Creates an empty set of entities.
  public init() {}

  /// Reads the internal general entities that a document type definition declares. The files that it includes are read too, but
  /// nothing from the network.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: A `FerryError` with the reason `XMLProblem.badDTD`, or an error of the file.
  public init(dtd path: String) throws(FerryError) {
    let input = try UncompressedInput(FileInput(path: path), named: path, format: nil, budget: Budget()).input
    let text = try input.readAll(limit: Int(Int32.max))
    // libxml2 takes a zero for the end of the text.
    if let zero = text.firstIndex(of: 0), XMLTextEncoding.detect(text.span).encoding == .utf8 {
      let line = text[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
      throw FerryError(.xml(.badDTD(path)), at: InputLocation(line: line))
    }
    let reader = try DTDReader()
    declared = try reader.entities(in: text, ofFile: path)
  }

  /// True if there are no entities.
  public var isEmpty: Bool { !includesHTML && declared.isEmpty }

  /// Returns the replacement text of an entity, or nil.
  func replacement(of name: String) -> [UInt8]? {
    if let text = declared[ExactString(name)] { return text }
    guard includesHTML, let found = unsafe htmlEntityLookup(name) else { return nil }
    var text: [UInt8] = []
    text.append(scalar: unsafe found.pointee.value)
    return text
  }
}

/// A reader of the entities in a document type definition.
@safe private final class DTDReader {
  private let context: xmlParserCtxtPtr

  init() throws(FerryError) {
    guard let context = unsafe xmlNewParserCtxt() else { throw FerryError(.xml(.badDTD("out of memory"))) }
    unsafe self.context = context
  }

  deinit {
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe xmlFreeParserCtxt(context)
  }

  /// Returns the replacement texts of the internal general entities that the text of a file declares.
  func entities(in text: [UInt8], ofFile path: String) throws(FerryError) -> [ExactString: [UInt8]] {
    let errors = XMLErrors()
    let isRead = errors.hear { read(text, path) }
    guard isRead, unsafe context.pointee.wellFormed == 1 else {
      throw FerryError(.xml(.badDTD(path)), at: InputLocation(line: lastLine))
    }
    let found = EntityList()
    unsafe xmlHashScan(
      OpaquePointer(context.pointee.myDoc.pointee.extSubset.pointee.entities), entityIsInDefinition,
      Unmanaged.passUnretained(found).toOpaque())
    return found.entities
  }

  /// The line of the last error.
  private var lastLine: Int? {
    let line = unsafe Int(context.pointee.lastError.line)
    return line > 0 ? line : nil
  }

  private func read(_ text: [UInt8], _ path: String) -> Bool {
    _ = unsafe xmlCtxtUseOptions(
      context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_DTDLOAD.rawValue))
    unsafe context.pointee.myDoc = xmlNewDoc("1.0")
    guard let document = unsafe context.pointee.myDoc,
      unsafe xmlNewDtd(document, "none", nil, path) != nil, let input = unsafe input(text, path),
      unsafe xmlPushInput(context, input) >= 0
    else { return false }
    unsafe context.pointee.disableSAX = 0
    unsafe context.pointee.loadsubset = 1
    // The declarations are those of an external subset.
    unsafe context.pointee.inSubset = 2
    unsafe xmlParseExternalSubset(context, nil, path)
    return true
  }

  /// Creates libxml2's input of a text, with the path of its file, from which the paths of included files start. The context frees it.
  private func input(_ text: [UInt8], _ path: String) -> xmlParserInputPtr? {
    let copy = unsafe text.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe xmlParserInputBufferCreateMem(start, Int32(bytes.count), XML_CHAR_ENCODING_NONE)
    }
    guard let copy = unsafe copy else { return nil }
    guard let input = unsafe xmlNewIOInputStream(context, copy, XML_CHAR_ENCODING_NONE) else {
      unsafe xmlFreeParserInputBuffer(copy)
      return nil
    }
    unsafe input.pointee.filename = UnsafePointer(
      UnsafeMutableRawPointer(xmlCanonicPath(path))?.assumingMemoryBound(to: CChar.self))
    return unsafe input
  }
}

/// The entities of a document type definition.
private final class EntityList {
  var entities: [ExactString: [UInt8]] = [:]
}

@c private func entityIsInDefinition(
  _ payload: UnsafeMutableRawPointer?, _ list: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?
) {
  guard let payload = unsafe payload, let list = unsafe list, let name = unsafe string(name) else { return }
  let entity = unsafe payload.assumingMemoryBound(to: xmlEntity.self)
  guard unsafe entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY,
    let content = unsafe entity.pointee.content
  else { return }
  let text = unsafe Span(_unsafeStart: content, count: Int(xmlStrlen(content)))
  unsafe Unmanaged<EntityList>.fromOpaque(list).takeUnretainedValue().entities[ExactString(name)] = [UInt8](
    copying: text)
}
