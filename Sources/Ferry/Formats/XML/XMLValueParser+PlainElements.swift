// Elements without attributes, of which most documents consist.

extension XMLValueParser {
  /// The largest number of values of an event: the beginning of the dictionary around an element, the end of the array before it, its key,
  /// the beginning of its array, and its text.
  private static let mostValues = 5

  /// Sends elements from the current event on, as long as each has no attributes and the path that followed the last time, and its contents
  /// keep their order. Skips the white space between them, which is layout. Returns false if no event was received; otherwise, the current
  /// event is the last one that was.
  ///
  /// They are sent in a loop, without the calls and checks for other elements.
  mutating func sendPlainElements(_ events: borrowing ElementBatch) -> Bool {
    guard mayBePlain(events), var level = open.popLast() else { return false }
    // The innermost level is a variable, and the other ones are in a list that is not a property, because each access to a property of
    // `self` would be checked.
    var outer: [Open] = []
    swap(&outer, &open)
    let (entries, table, start, textCount) = (paths.entries, events.table, elementStart, text.count)
    let (sendsRootAlone, mayNest) = (sendsRootAlone, prefixes == nil && locator == nil)
    let (usesTemplates, recordedCount) = (
      mayUseTemplates(events) && paths.hasPlainForms, recording?.openCount
    )
    var (next, found) = (event, 0)
    let room = min(sender.room, 2 * (events.count - next))
    sender.collect(upTo: room + Self.mostValues) { output, texts in
      loop: while output.count < room, next < events.count {
        let (event, offset) = (events[next], start &+ next)
        switch event.kind {
        case .text:
          guard event.isBlank, level.isLayout(events, at: next, textCount: textCount) else { break loop }
        case .end:
          guard mayNest, level.isDictionary, !level.isOrdered, level.textStart == textCount,
            let parent = outer.last, !parent.isOrdered
          else { break loop }
          if level.isInArray { output.append(EventBatch.Entry(kind: .endArray, offset: offset)) }
          output.append(EventBatch.Entry(kind: .endDictionary, offset: offset))
          level = parent
          outer.removeLast()
          // The recorded element ends before the next event.
          if outer.count &+ 1 == recordedCount {
            next &+= 1
            break loop
          }
        case .start:
          guard !level.isOrdered, !level.isPieceMarked, level.pieceStart == textCount,
            !sendsRootAlone || !outer.isEmpty,
            let path = entries.plain(
              number: Int(event.name), table: table, of: level.path, after: level.lastChild)
          else { break loop }
          let isInArray = level.isInArray && level.lastChild == path
          if isInArray, usesTemplates { break loop }
          let hasOnlyText = events.hasOnlyText(at: next)
          if !hasOnlyText {
            guard mayNest, next + 1 == events.count || !events[next + 1].isAttribute else { break loop }
          }
          if !level.isDictionary {
            output.append(EventBatch.Entry(kind: .beginDictionary, offset: offset))
            level.isDictionary = true
          }
          if !isInArray {
            if level.isInArray { output.append(EventBatch.Entry(kind: .endArray, offset: offset)) }
            entries.appendKey(of: path, in: event, at: offset, to: &output, &texts)
            level.isInArray = entries.isList(path)
            if level.isInArray { output.append(EventBatch.Entry(kind: .beginArray, offset: offset)) }
          }
          (level.lastChild, level.hasChildren) = (path, true)
          found &+= 1
          if hasOnlyText {
            events.appendString(next &+ 1, at: offset, to: &output, &texts)
            next &+= 2
          } else {
            outer.append(level)
            level = Open(
              path: path, textStart: textCount, pieceStart: textCount, keepsSpace: level.keepsSpace)
          }
        default: break loop
        }
        next &+= 1
      }
    }
    outer.append(level)
    swap(&outer, &open)
    guard next > event else { return false }
    elements += found
    event = next - 1
    return true
  }

  /// Returns true if the current event may be one of elements that `sendPlainElements` sends.
  private func mayBePlain(_ events: borrowing ElementBatch) -> Bool {
    let next = events[event]
    switch next.kind {
    case .start: if next.count > 0 { return false }
    case .end: break
    case .text: if !next.isBlank { return false }
    default: return false
    }
    return sender.isCollecting && !isHolding && !events.hasLocations && prefixes?.isEmpty != false
      && !paths.marksLists && paths.order != .always
  }
}

extension ElementBatch {
  /// Appends the value of a text.
  @inline(__always)
  fileprivate func appendString(
    _ index: Int, at offset: Int, to output: inout OutputSpan<EventBatch.Entry>, _ texts: inout [UInt8]
  ) {
    let entry = self[index]
    let start = entry.isCopied ? texts.count : entry.start
    if entry.isCopied { texts.append(copying: text(entry).utf8) }
    output.append(
      EventBatch.Entry(
        kind: .string, isASCII: entry.isASCII, isCopied: entry.isCopied, isPlain: entry.isPlain,
        offset: offset, payload: UInt64(start), extra: entry.count))
  }
}

extension XMLPaths {
  /// The paths, for elements without attributes.
  var entries: Entries { Entries(paths: paths) }

  /// A list of the paths in which the next element is found.
  struct Entries {
    fileprivate let paths: [Path]

    /// Returns the path of a child element if it followed the last time, and the contents of its elements keep their order; otherwise nil.
    @inline(__always)
    func plain(number: Int, table: Int, of parent: Int, after sibling: Int) -> Int? {
      let path = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
      guard path != 0, paths[path].parent == parent, paths[path].isLast(number, table), paths[path].isPlain
      else { return nil }
      return path
    }

    /// Returns true if the elements with a path are sent as lists.
    @inline(__always)
    func isList(_ path: Int) -> Bool { paths[path].repeats }

    /// Appends the key of an element, which is taken from its tag if it is the name there.
    @inline(__always)
    func appendKey(
      of path: Int, in element: ElementBatch.Entry, at offset: Int,
      to output: inout OutputSpan<EventBatch.Entry>, _ texts: inout [UInt8]
    ) {
      let isCopied = !paths[path].isKeyWritten
      let start = isCopied ? texts.count : element.start &+ 1
      if isCopied {
        let key = paths[path].key
        texts.append(copying: key.span)
      }
      output.append(
        EventBatch.Entry(
          kind: .key, isASCII: paths[path].isKeyASCII, isCopied: isCopied, isPlain: paths[path].isKeyPlain,
          offset: offset, payload: UInt64(start), extra: paths[path].key.count))
    }
  }
}
