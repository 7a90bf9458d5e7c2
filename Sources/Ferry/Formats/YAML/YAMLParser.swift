#if YAML
  internal import CYAML

  /// libyaml's parser over a copy of a text. This is the only use of libyaml.
  @safe
  struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Creates a parser of a text in UTF-8 without a byte order mark.
    init(_ text: Span<UInt8>) {
      unsafe bytes = .allocate(capacity: text.count + 1)
      for index in 0..<text.count { unsafe bytes[index] = text[index] }
      unsafe bytes[text.count] = 0
      unsafe parser = .allocate(capacity: 1)
      unsafe event = .allocate(capacity: 1)
      unsafe parser.initialize(to: yaml_parser_t())
      unsafe event.initialize(to: yaml_event_t())
      // It fails only without memory, and then the first event is an error.
      _ = unsafe yaml_parser_initialize(parser)
      unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      unsafe yaml_parser_set_input_string(parser, UnsafePointer(bytes.baseAddress), text.count)
    }

    deinit {
      unsafe yaml_parser_delete(parser)
      unsafe parser.deallocate()
      unsafe event.deallocate()
      unsafe bytes.deallocate()
    }

    /// Reads the next event.
    mutating func next(_ found: inout YAMLEvent) throws(YAMLFlaw) {
      guard unsafe yaml_parser_parse(parser, event) == 1 else { throw flaw }
      defer { unsafe yaml_event_delete(event) }
      found.start = unsafe event.pointee.start_mark.index
      found.end = unsafe event.pointee.end_mark.index
      found.text.removeAll(keepingCapacity: true)
      found.anchor.removeAll(keepingCapacity: true)
      found.tag.removeAll(keepingCapacity: true)
      switch unsafe event.pointee.type {
      case YAML_STREAM_END_EVENT: found.kind = .streamEnd
      case YAML_DOCUMENT_START_EVENT:
        found.kind = .documentStart
        found.isOfOlderVersion = false
        if let version = unsafe event.pointee.data.document_start.version_directive {
          found.isOfOlderVersion = unsafe (version.pointee.major, version.pointee.minor) < (1, 2)
        }
      case YAML_ALIAS_EVENT:
        found.kind = .alias
        unsafe Self.copy(event.pointee.data.alias.anchor, to: &found.anchor)
      case YAML_SCALAR_EVENT:
        found.kind = .scalar
        let scalar = unsafe event.pointee.data.scalar
        found.isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
        if let value = unsafe scalar.value {
          unsafe found.text.append(contentsOf: UnsafeBufferPointer(start: value, count: scalar.length))
        }
        unsafe Self.copy(scalar.anchor, to: &found.anchor)
        unsafe Self.copy(scalar.tag, to: &found.tag)
      case YAML_SEQUENCE_START_EVENT:
        found.kind = .sequenceStart
        let start = unsafe event.pointee.data.sequence_start
        found.isFlow = unsafe start.style == YAML_FLOW_SEQUENCE_STYLE
        unsafe Self.copy(start.anchor, to: &found.anchor)
        unsafe Self.copy(start.tag, to: &found.tag)
      case YAML_MAPPING_START_EVENT:
        found.kind = .mappingStart
        let start = unsafe event.pointee.data.mapping_start
        found.isFlow = unsafe start.style == YAML_FLOW_MAPPING_STYLE
        unsafe Self.copy(start.anchor, to: &found.anchor)
        unsafe Self.copy(start.tag, to: &found.tag)
      case YAML_SEQUENCE_END_EVENT: found.kind = .sequenceEnd
      case YAML_MAPPING_END_EVENT: found.kind = .mappingEnd
      default: found.kind = .other
      }
    }

    private static func copy(_ text: UnsafeMutablePointer<yaml_char_t>?, to bytes: inout [UInt8]) {
      guard var next = unsafe text else { return }
      while unsafe next.pointee != 0 {
        unsafe bytes.append(next.pointee)
        unsafe next += 1
      }
    }

    /// The error of the parser.
    private var flaw: YAMLFlaw {
      var message = "this text"
      if let problem = unsafe parser.pointee.problem { message = unsafe String(cString: problem) }
      if let context = unsafe parser.pointee.context { message += unsafe " (\(String(cString: context)))" }
      let isOfReader = unsafe parser.pointee.error == YAML_READER_ERROR
      return YAMLFlaw(
        message: message,
        offset: isOfReader
          ? unsafe .bytes(Int(parser.pointee.problem_offset))
          : unsafe .characters(Int(parser.pointee.problem_mark.index)))
    }
  }
#else
  /// The replacement of libyaml's parser in builds without the trait `YAML`. It is never used, because the format
  /// has no reader then.
  struct YAMLParser: ~Copyable {
    init(_ text: Span<UInt8>) {}

    mutating func next(_ found: inout YAMLEvent) throws(YAMLFlaw) {
      throw YAMLFlaw(message: YAMLProblem.notBuiltIn.description, offset: .bytes(0))
    }
  }
#endif
