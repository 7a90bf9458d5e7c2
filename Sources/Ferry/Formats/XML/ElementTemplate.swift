/// The values of an element, from which those of other elements with the same events are made by other texts.
///
///     <a id="1"> <b>x</b> </a>     {  "@id"  …  "b"  …  }
///
/// Records mostly have the events of an earlier one, except for their texts, so that their values need no search for paths, lists and
/// layout.
struct ElementTemplate {
  /// An event of the values.
  struct Part {
    /// The event. The text of a key is in the keys of the template. The offset is that from the start of the element, in events.
    var entry: EventBatch.Entry
    /// The number of events from the start of the element to the one with the text of a string, or -1.
    var source = -1
  }

  /// The path of the element.
  let path: Int
  /// A number for each event of the element, or for the three events of an element in it that has only text: the kind, and above eight
  /// bits the number of the name of an element or an attribute.
  private(set) var codes: [Int] = []
  private(set) var parts: [Part] = []
  /// The texts of the keys.
  private(set) var keys: [UInt8] = []
  /// The number of events of the element.
  private(set) var eventCount = 0
  /// The number of elements: the element and those in it.
  private(set) var elementCount = 0

  /// The kind of an element that has only text, and the mark of white space, beside the kinds of events.
  private static let leaf = 0x80
  private static let blank = 0x40
  /// The largest number of parts, with which a batch of values does not become too long.
  private static let mostParts = 128

  /// Creates a template from an element that is in a range of events, and from its values. Returns nil if the values depend on more
  /// than the kinds and names of the events, or if the template would be long.
  ///
  /// Each string must be the text of the event from which it is taken in other elements. White space between elements must be left out.
  ///
  /// - Parameters:
  ///   - start: The offset of the first event of the batch in the values.
  ///   - first: The index of the first event of the values.
  init?(
    _ events: borrowing ElementBatch, _ range: Range<Int>, at start: Int, path: Int,
    values: borrowing EventBatch,
    from first: Int
  ) {
    guard values.count - first <= Self.mostParts, range.count <= 4 * Self.mostParts else { return nil }
    self.path = path
    eventCount = range.count
    guard let sources = readCodes(events, range),
      addParts(events, range, at: start, sources, values, from: first)
    else { return nil }
  }

  // MARK: Creating

  /// An open element in the element.
  private struct Open {
    var hasAttributes = false
    var hasChildren = false
    /// The number of texts, the index of the last one, and true if one of them is not white space.
    var textCount = 0
    var lastText = -1
    var hasContent = false
  }

  /// Reads the codes of the events. Returns the events with the texts of strings, with -1 for an empty element, or nil if there are other
  /// events, or text beside elements.
  private mutating func readCodes(_ events: borrowing ElementBatch, _ range: Range<Int>) -> [Int]? {
    var (sources, open, index) = ([Int](), [Open](), range.lowerBound)
    while index < range.upperBound {
      let (event, source) = (events[index], index - range.lowerBound)
      index += 1
      switch event.kind {
      case .start:
        elementCount += 1
        if let last = open.indices.last { open[last].hasChildren = true }
        guard events.hasOnlyText(at: index - 1) else {
          codes.append(Int(event.name) << 8)
          open.append(Open())
          continue
        }
        codes.append(Int(event.name) << 8 | Self.leaf)
        sources.append(source + 1)
        index += 2
      case .attribute:
        guard let last = open.indices.last, events.name(event).prefix == nil else { return nil }
        open[last].hasAttributes = true
        codes.append(Int(event.name) << 8 | Int(event.kind.rawValue))
        sources.append(source)
      case .text:
        guard let last = open.indices.last else { return nil }
        let isBlank = events.text(event).isBlank
        codes.append(isBlank ? Self.blank : Int(event.kind.rawValue))
        if !isBlank { open[last].hasContent = true }
        open[last].textCount += 1
        open[last].lastText = source
      case .end:
        guard let ended = open.popLast(), let added = Self.sources(in: ended) else { return nil }
        codes.append(Int(event.kind.rawValue))
        sources += added
      case .declaration, .cdata, .comment, .instruction: return nil
      }
    }
    return open.isEmpty ? sources : nil
  }

  /// Returns the events with the texts of the strings of an element without those of its attributes and of the elements in it, or nil if
  /// there is text beside elements, or text that is divided.
  private static func sources(in ended: Open) -> [Int]? {
    if ended.hasChildren { return ended.hasContent ? nil : [] }
    switch ended.textCount {
    case 0: return ended.hasAttributes ? [] : [-1]
    case 1: return [ended.lastText]
    default: return nil
    }
  }

  /// Adds the parts. Returns false if the strings are not the texts of events.
  private mutating func addParts(
    _ events: borrowing ElementBatch, _ range: Range<Int>, at start: Int, _ sources: [Int],
    _ values: borrowing EventBatch, from first: Int
  ) -> Bool {
    var stringCount = 0
    for index in first..<values.count {
      var part = Part(entry: values[index])
      part.entry.offset -= start + range.lowerBound
      switch part.entry.kind {
      case .string:
        guard stringCount < sources.count else { return false }
        part.source = sources[stringCount]
        stringCount += 1
        let text = values.text(index).utf8
        if part.source < 0 {
          guard text.isEmpty else { return false }
          (part.entry.isCopied, part.entry.payload) = (true, 0)
        } else {
          guard events.text(events[range.lowerBound + part.source]).utf8.equals(text) else { return false }
        }
      case .key:
        part.entry.isCopied = true
        part.entry.payload = UInt64(keys.count)
        keys.append(copying: values.text(index).utf8)
      case .beginArray, .endArray, .beginDictionary, .endDictionary: break
      case .null, .boolean, .integer, .real, .number: return false
      }
      parts.append(part)
    }
    return stringCount == sources.count
  }

  // MARK: Using

  /// Returns true if the events from an index on are those of an element with the template.
  func matches(_ events: borrowing ElementBatch, at start: Int) -> Bool {
    guard start <= events.count - eventCount else { return false }
    var index = start
    for code in codes {
      let event = events[index]
      if code & Self.leaf != 0 {
        guard event.kind == .start, Int(event.name) == code >> 8, events[index + 1].kind == .text,
          events[index + 2].kind == .end
        else { return false }
        index += 3
        continue
      }
      switch event.kind {
      case .start, .attribute:
        guard code == Int(event.name) << 8 | Int(event.kind.rawValue) else { return false }
      case .text:
        let isBlank = event.isBlank || events.text(event).isBlank
        guard code == (isBlank ? Self.blank : Int(event.kind.rawValue)) else { return false }
      case .end: guard code == Int(event.kind.rawValue) else { return false }
      case .declaration, .cdata, .comment, .instruction: return false
      }
      index += 1
    }
    return true
  }

  /// Appends the values of the element that starts at an index, whose events match the template.
  ///
  /// - Parameters:
  ///   - keyStart: The index of the keys of the template in the texts.
  ///   - values: The values.
  ///   - texts: The copied texts of the values.
  func appendValues(
    of events: borrowing ElementBatch, at start: Int, keysAt keyStart: Int,
    to values: inout [EventBatch.Entry], _ texts: inout [UInt8]
  ) {
    values.append(addingCapacity: parts.count) { output in
      for part in parts {
        var value = part.entry
        value.offset &+= start
        if part.source >= 0 {
          let text = events[start &+ part.source]
          (value.isASCII, value.isPlain, value.isCopied) = (text.isASCII, text.isPlain, text.isCopied)
          (value.payload, value.extra) = (UInt64(text.start), text.count)
          if text.isCopied {
            value.payload = UInt64(texts.count)
            texts.append(copying: events.text(text).utf8)
          }
        } else if value.kind == .key {
          value.payload &+= UInt64(keyStart)
        }
        output.append(value)
      }
    }
  }
}

/// The templates of the elements in a document that recur.
struct ElementTemplates {
  private var templates: [ElementTemplate] = []
  /// The index of the template that was used last.
  private var last = 0
  /// The number of the table of the names.
  private var tableNumber = -1
  /// The number of templates that may be added before one is used, so that elements which never recur take no time.
  private var credit = 16
  /// The number of elements that may differ from all templates before one is used.
  private var tries = mostTries

  private static let mostTemplates = 16
  private static let mostCredit = 64
  private static let mostTries = 256

  /// True if templates are still looked for.
  var isUsed: Bool { tries > 0 }

  /// True if a template may be added.
  var mayAdd: Bool { credit > 0 && tries > 0 }

  /// Returns the template of the element with a path that starts at an index.
  mutating func template(of events: borrowing ElementBatch, at start: Int, path: Int) -> ElementTemplate? {
    guard tableNumber == events.table else { return nil }
    var index = last
    for _ in templates.indices {
      if templates[index].path == path, templates[index].matches(events, at: start) {
        last = index
        (credit, tries) = (min(credit + 1, Self.mostCredit), Self.mostTries)
        return templates[index]
      }
      index = index + 1 == templates.count ? 0 : index + 1
    }
    tries -= 1
    return nil
  }

  /// Adds a template with names in a table, in place of another one if there are many. Pass nil for an element of which none was made.
  mutating func add(_ template: ElementTemplate?, tableNumber: Int) {
    credit -= 1
    guard let template else { return }
    if tableNumber != self.tableNumber { templates.removeAll() }
    self.tableNumber = tableNumber
    last = templates.count < Self.mostTemplates ? templates.count : (last + 1) % Self.mostTemplates
    if last == templates.count { templates.append(template) } else { templates[last] = template }
  }
}
