extension EventTape {
  /// The entries of a dictionary: the tape indices of each key and its value.
  struct Entries: Sequence, IteratorProtocol {
    fileprivate let tape: EventTape
    fileprivate var key: TapeIndex

    mutating func next() -> (key: TapeIndex, value: TapeIndex)? {
      guard tape.kind(at: key) != .endDictionary else { return nil }
      let entry = (key: key, value: tape.next(after: key))
      key = tape.next(after: entry.value)
      return entry
    }
  }

  /// Returns the bytes of a string, a key or data.
  func bytes(at index: TapeIndex) -> [UInt8] {
    kind(at: index) == .data ? [UInt8](copying: data(at: index)) : [UInt8](copying: text(at: index).utf8)
  }

  /// Returns the value of a number as a real, or nil for other values.
  func real(ofNumberAt index: TapeIndex) -> Double? {
    switch kind(at: index) {
    case .integer: Double(exactly: integer(at: index)) ?? Double(integer(at: index))
    case .real: real(at: index)
    case .single: Double(single(at: index))
    default: nil
    }
  }

  /// Returns the tape indices of an array's elements.
  func elements(of array: TapeIndex) -> [TapeIndex] {
    var elements: [TapeIndex] = []
    var tapeIndex = array + 1
    let end = next(after: array) - 1
    while tapeIndex < end {
      elements.append(tapeIndex)
      tapeIndex = next(after: tapeIndex)
    }
    return elements
  }

  /// Returns the number of values in a range of elements, or of keys and values in a range of entries.
  func childCount(from first: TapeIndex, to end: TapeIndex) -> Int {
    var (index, count) = (first, 0)
    while index < end {
      count += 1
      index = next(after: index)
    }
    return count
  }

  /// Returns the entries of a dictionary, in their order.
  func entries(of dictionary: TapeIndex) -> Entries { Entries(tape: self, key: dictionary + 1) }

  /// Returns the names and values of a dictionary's entries. An entry whose key is not a string has no name.
  func fields(of dictionary: TapeIndex) -> [(name: String, value: TapeIndex)] {
    entries(of: dictionary).map { (kind(at: $0.key) == .key ? string(at: $0.key) : "", $0.value) }
  }

  /// Returns the index of the content of an object, or of a value that is not an object. Returns nil for a reference.
  func content(of index: TapeIndex) -> TapeIndex? {
    switch kind(at: index) {
    case .beginObject: content(of: index + 1)
    case .reference: nil
    default: index
    }
  }

  /// Returns the source location of the value at a path in the first value of the tape, or of the innermost value that is found. It
  /// is empty if the tape has no locations.
  func location(at path: ValuePath) -> InputLocation {
    guard count > 0 else { return InputLocation() }
    var (index, rest) = (TapeIndex.start, path.steps[...])
    while let step = rest.popFirst() {
      if kind(at: index) == .beginObject { index = index + 1 }
      switch (step, kind(at: index)) {
      case (.key(let key), .beginDictionary):
        let values = entries(of: index).filter { entry in
          kind(at: entry.key) == .key && text(at: entry.key).hasPathText(key.utf8.span)
        }
        guard let last = values.last else { return location(at: index) }
        index = last.value
        // A list whose items have no element around them is sent as entries with one key.
        if values.count > 1, case .index(let item)? = rest.first, values.indices.contains(item) {
          index = values[item].value
          rest.removeFirst()
        }
      case (.index(let item), .beginArray), (.index(let item), .beginSet):
        let items = elements(of: index)
        guard items.indices.contains(item) else { return location(at: index) }
        index = items[item]
      default: return location(at: index)
      }
    }
    return location(at: index)
  }

  /// Returns the path from a value to a part of it.
  func path(to target: TapeIndex, in value: TapeIndex = .start) -> ValuePath {
    var path = ValuePath()
    var index = value
    while index < target {
      switch kind(at: index) {
      case .beginObject: index = index + 1
      case .beginArray, .beginSet, .beginDictionary:
        guard let child = child(of: index, around: target) else { return path }
        path.steps.append(child.step)
        index = child.index
      default: return path
      }
    }
    return path
  }

  /// Returns the step of a path to the value of a key.
  func step(ofKey key: TapeIndex) -> ValuePath.Step {
    .key(kind(at: key) == .key ? String(escapingSurrogatesOf: text(at: key)) : "")
  }

  private func child(of collection: TapeIndex, around target: TapeIndex) -> (
    step: ValuePath.Step, index: TapeIndex
  )? {
    let end = next(after: collection) - 1
    let isDictionary = kind(at: collection) == .beginDictionary
    var (index, number) = (collection + 1, 0)
    while index < end {
      let value = isDictionary ? next(after: index) : index
      if target < next(after: value) {
        guard isDictionary else { return (.index(number), value) }
        return (step(ofKey: index), value)
      }
      index = next(after: value)
      number += 1
    }
    return nil
  }
}
