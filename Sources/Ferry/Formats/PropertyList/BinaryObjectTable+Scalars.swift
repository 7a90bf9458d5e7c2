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

extension BinaryObjectTable {
  /// Collects the events of a dictionary, or the elements of an array or a set, from an index on. Stops before the first
  /// that is not a scalar of JSON with an ASCII key, or that may cost too much, and when the batch is full.
  ///
  /// - Parameter longest: The largest size of a text in bytes.
  /// - Returns: The index of the first that is not collected.
  func collectScalars(
    of node: NodeID, from first: Int, into sender: inout EventSender, keys: inout CollectedKeys,
    weight: inout CollectedWeight, longest: Int
  ) -> Int {
    guard let collection = try? object(node), collection.isCollection else { return first }
    let isDictionary = collection.kind == 0xd
    let values = isDictionary ? collection.count : 0
    let room = sender.room
    var index = first
    // An entry may begin with the last event for which there is room.
    sender.collect(upTo: min(2 * max(collection.count - first, 0), room + 1)) { events, texts in
      while index < collection.count, events.count < room {
        guard let value = try? reference(values &+ index, of: collection), let scalar = try? object(value)
        else { return }
        let event = event(of: scalar)
        guard event != nil || scalar.kind == 0x6 else { return }
        // Two bytes of UTF-16 become three bytes of UTF-8 at the most.
        let size = scalar.isString ? 3 * scalar.count : 0
        guard size <= longest else { return }
        if isDictionary {
          guard let node = try? reference(index, of: collection), let key = key(node, among: &keys),
            key.extra <= longest, weight.hasRoom(for: Budget.valueCost + size + key.extra)
          else { return }
          events.append(key)
          weight.value += key.extra
        } else {
          guard weight.hasRoom(for: Budget.valueCost + size) else { return }
        }
        weight.value += Budget.valueCost
        if let event {
          events.append(event)
          weight.value += scalar.isString ? scalar.count : 0
        } else {
          let event = self.event(decoding: scalar, to: &texts)
          events.append(event)
          weight.value += event.extra
        }
        index += 1
      }
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
