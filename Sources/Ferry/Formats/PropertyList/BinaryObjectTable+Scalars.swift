// Collecting the scalars of a collection, whose bytes are borrowed once for all of them.

/// The keys that were collected last. Records share their keys, so most keys are among them.
struct CollectedKeys {
  /// The events of the keys, by the low bits of the numbers of their nodes. The location of each is the number.
  private var events: [EventBatch.Entry] = []
  private static let mask = 63

  /// Returns the event of a key, or nil if the key is not among those that were collected last.
  @inline(__always)
  func event(of key: NodeID) -> EventBatch.Entry? {
    guard !events.isEmpty else { return nil }
    let event = events[key.index & Self.mask]
    return event.offset == key.index ? event : nil
  }

  mutating func add(_ event: EventBatch.Entry) {
    if events.isEmpty {
      events = Array(repeating: EventBatch.Entry(kind: .key, offset: -1), count: Self.mask + 1)
    }
    events[event.offset & Self.mask] = event
  }
}

/// The cost of the values that were sent, and its limit.
struct CollectedWeight {
  var value: Int
  let limit: Int

  @inline(__always)
  func hasRoom(for cost: Int) -> Bool { value + cost <= limit }
}

/// The children of a collection that were collected.
struct CollectedChildren {
  /// The index of the first child that is not collected.
  var next: Int
  /// The dictionary before `next` whose beginning was collected, but not its end, with the number of its events.
  var open: (node: NodeID, count: Int, next: Int, events: Int)?
}

/// The state that the loops over scalars share, and the limits for them.
private struct ScalarLoop: ~Copyable {
  var texts: [UInt8] = []
  var keys: CollectedKeys
  var weight: CollectedWeight
  /// The number of events after which an entry no longer begins.
  let room: Int
  /// The largest size of a text in bytes.
  let longest: Int
}

extension BinaryObjectTable {
  /// Collects the events of some entries of a dictionary, or of some elements of an array or a set. Stops before the first
  /// that is not a scalar of JSON with an ASCII key, or that may cost too much, and when the batch is full.
  ///
  /// - Parameters:
  ///   - takesRecords: True to collect the dictionaries in an array or a set, too, up to the first one whose entries are not all collected.
  ///   - longest: The largest size of a text in bytes.
  func collectScalars(
    of node: NodeID, in indices: Range<Int>, takesRecords: Bool, into sender: inout EventSender,
    keys: inout CollectedKeys, weight: inout CollectedWeight, longest: Int
  ) -> CollectedChildren {
    var children = CollectedChildren(next: indices.lowerBound)
    guard let collection = try? object(node), collection.isCollection, indices.upperBound <= collection.count
    else { return children }
    let takesRecords = takesRecords && collection.kind != 0xd
    let room = sender.room
    let eventLimit = takesRecords ? room : min(2 * indices.count, room)
    var loop = ScalarLoop(keys: CollectedKeys(), weight: weight, room: room, longest: longest)
    swap(&loop.keys, &keys)
    // An entry may begin with the last event for which there is room.
    sender.collect(upTo: eventLimit + 1) { events, texts in
      swap(&loop.texts, &texts)
      while true {
        children.next = collect(collection, in: children.next..<indices.upperBound, &events, &loop)
        let first = events.count
        guard takesRecords, children.next < indices.upperBound, first < room,
          let record = beginRecord(children.next, of: collection, &events, &loop)
        else { break }
        children.next += 1
        let next = collect(record, in: 0..<record.count, &events, &loop)
        guard next == record.count, events.count < room else {
          children.open = (record.node, record.count, next, events.count - first)
          break
        }
        events.append(EventBatch.Entry(kind: .endDictionary, offset: record.node.index))
      }
      swap(&loop.texts, &texts)
    }
    swap(&loop.keys, &keys)
    weight = loop.weight
    return children
  }

  /// Collects the beginning of the element of an array at an index, and returns the element, if it is a dictionary that does not cost too much.
  @inline(__always)
  private func beginRecord(
    _ index: Int, of array: Object, _ events: inout OutputSpan<EventBatch.Entry>, _ loop: inout ScalarLoop
  ) -> Object? {
    guard let node = try? reference(index, of: array), let record = try? object(node), record.kind == 0xd,
      loop.weight.hasRoom(for: Budget.valueCost)
    else { return nil }
    loop.weight.value += Budget.valueCost
    events.append(EventBatch.Entry(kind: .beginDictionary, offset: node.index))
    return record
  }

  /// Collects the scalars of a collection at some indices. Returns the index of the first child that is not collected.
  private func collect(
    _ collection: Object, in indices: Range<Int>, _ events: inout OutputSpan<EventBatch.Entry>,
    _ loop: inout ScalarLoop
  ) -> Int {
    let isDictionary = collection.kind == 0xd
    let values = isDictionary ? collection.count : 0
    let (room, longest) = (loop.room, loop.longest)
    var index = indices.lowerBound
    while index < indices.upperBound, events.count < room {
      guard let value = try? reference(values &+ index, of: collection), let scalar = try? object(value)
      else { return index }
      let event = event(of: scalar)
      guard event != nil || scalar.kind == 0x6 else { return index }
      // Two bytes of UTF-16 become three bytes of UTF-8 at the most.
      let size = scalar.isString ? 3 * scalar.count : 0
      guard size <= longest else { return index }
      if isDictionary {
        guard let node = try? reference(index, of: collection), let key = key(node, among: &loop.keys),
          key.extra <= longest, loop.weight.hasRoom(for: Budget.valueCost + size + key.extra)
        else { return index }
        events.append(key)
        loop.weight.value += key.extra
      } else {
        guard loop.weight.hasRoom(for: Budget.valueCost + size) else { return index }
      }
      loop.weight.value += Budget.valueCost
      if let event {
        events.append(event)
        loop.weight.value += scalar.isString ? scalar.count : 0
      } else {
        let event = self.event(decoding: scalar, to: &loop.texts)
        events.append(event)
        loop.weight.value += event.extra
      }
      index += 1
    }
    return index
  }

  /// Returns the event of a UTF-16 string, whose text is appended to the copied texts.
  func event(decoding string: Object, to texts: inout [UInt8]) -> EventBatch.Entry {
    let start = texts.count
    let hasSurrogates = append(utf16: string, to: &texts)
    let size = texts.count - start
    // A surrogate, like each character beyond ASCII, takes more bytes than units.
    let run = texts.span.plainJSONRun(from: start)
    return EventBatch.Entry(
      kind: .string, isASCII: size == string.count, hasSurrogates: hasSurrogates, isCopied: true,
      isPlain: !hasSurrogates && run.end == texts.count, offset: string.node.index, payload: UInt64(start),
      extra: size)
  }

  /// Returns the event of a scalar of JSON whose text, if it has one, need not be decoded. Returns nil for other objects, such as
  /// a real that is not finite, and invalid ones. The location of the event is the number of the object.
  @inline(__always)
  func event(of object: Object) -> EventBatch.Entry? {
    let offset = object.node.index
    switch object.kind {
    case 0x0:
      switch object.count {
      case 0: return EventBatch.Entry(kind: .null, offset: offset)
      case 8, 9: return EventBatch.Entry(kind: .boolean, offset: offset, payload: object.count == 9 ? 1 : 0)
      default: return nil
      }
    case 0x1:
      guard object.count < 4 else { return nil }
      let bits = number(object, width: 1 &<< object.count)
      // Only integers of eight bytes have a sign.
      let upperHalf = object.count == 3 ? Int(truncatingIfNeeded: bits) >> 63 : 0
      return EventBatch.Entry(kind: .integer, offset: offset, payload: bits, extra: upperHalf)
    case 0x2:
      guard isFiniteReal(object) else { return nil }
      return EventBatch.Entry(kind: .real, offset: offset, payload: number(object, width: 8))
    case 0x5: return event(ofASCII: object, as: .string)
    default: return nil
    }
  }

  /// Returns the event of an ASCII string, or nil if it is invalid.
  @inline(__always)
  private func event(ofASCII object: Object, as kind: EventBatch.Kind) -> EventBatch.Entry? {
    let isPlain = isPlainASCII(object)
    guard isPlain || (try? ascii(object)) != nil else { return nil }
    return EventBatch.Entry(
      kind: kind, isASCII: true, isPlain: isPlain, offset: object.node.index,
      payload: UInt64(object.start), extra: object.count)
  }

  /// Returns the event of a key, or nil if the key is not valid ASCII.
  @inline(__always)
  private func key(_ node: NodeID, among keys: inout CollectedKeys) -> EventBatch.Entry? {
    keys.event(of: node) ?? newKey(node, among: &keys)
  }

  @inline(never)
  private func newKey(_ node: NodeID, among keys: inout CollectedKeys) -> EventBatch.Entry? {
    guard let object = try? object(node), object.kind == 0x5, let event = event(ofASCII: object, as: .key)
    else { return nil }
    keys.add(event)
    return event
  }

  /// Returns true if a string has only ASCII characters that JSON does not escape. Tests eight bytes at a time, also at the
  /// end of the string, because the trailer of the file follows it.
  @inline(__always)
  private func isPlainASCII(_ string: Object) -> Bool {
    let end = string.start + string.count
    var index = string.start
    while index < end {
      var word = bytes.littleEndianWord(at: index)
      if end - index < 8 {
        let rest = ~UInt64(0) << UInt64(8 * (end - index))
        word = word & ~rest | UInt64(bytes: UInt64(UInt8(ascii: "a"))) & rest
      }
      let stops =
        word.bytes(equal: UInt64(UInt8(ascii: "\""))) | word.bytes(equal: UInt64(UInt8(ascii: "\\")))
        | word.bytes(below: 0x20) | word & UInt64(bytes: 0x80)
      guard stops == 0 else { return false }
      index += 8
    }
    return true
  }
}
