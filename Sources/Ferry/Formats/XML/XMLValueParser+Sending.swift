// The events that are sent, or kept on the tape while an element is held.

extension XMLValueParser {
  var isHolding: Bool { !held.isEmpty }

  mutating func key(of path: Int) throws(FerryError) {
    let key = paths[path].key
    let text = BorrowedText(checked: key.span, isASCII: paths[path].isKeyASCII)
    if isHolding {
      tape.key(text.utf8)
    } else {
      try sender.text(.key, text, from: nil, isPlain: paths[path].isKeyPlain, at: eventIndex)
    }
  }

  mutating func key(_ key: AttributeKeys.Key) throws(FerryError) {
    // The keys are taken out, because a borrowed text of a property would keep the others from changing.
    var keys = AttributeKeys()
    swap(&keys, &attributeKeys)
    defer { swap(&keys, &attributeKeys) }
    let text = keys.text(of: key)
    if isHolding {
      tape.key(text.utf8)
    } else {
      try sender.text(.key, text, from: nil, isPlain: key.isPlain, at: eventIndex)
    }
  }

  mutating func key(_ key: BorrowedText) throws(FerryError) {
    if isHolding { tape.key(key.utf8) } else { try sender.text(.key, key, from: nil, at: eventIndex) }
  }

  mutating func string(_ text: BorrowedText, from start: Int?, isPlain: Bool) throws(FerryError) {
    if isHolding {
      tape.string(text.utf8)
    } else {
      try sender.text(.string, text, from: start, isPlain: isPlain, at: eventIndex)
    }
  }

  mutating func string(from start: Int) throws(FerryError) {
    let bytes = text
    if prefixes != nil { notePrefixes(in: BorrowedText(bytes.span.extracting(start..<bytes.count))) }
    try string(BorrowedText(bytes.span.extracting(start..<bytes.count)), from: nil, isPlain: false)
  }

  mutating func beginDictionary() throws(FerryError) {
    if isHolding { tape.beginDictionary() } else { try sender.beginDictionary(at: eventIndex) }
  }

  mutating func endDictionary() throws(FerryError) {
    if isHolding { tape.endDictionary() } else { try sender.endDictionary(at: eventIndex) }
  }

  mutating func beginArray() throws(FerryError) {
    if isHolding { tape.beginArray() } else { try sender.beginArray(at: eventIndex) }
  }

  mutating func endArray() throws(FerryError) {
    let last = open.count - 1
    guard open[last].isInArray else { return }
    open[last].isInArray = false
    if isHolding { tape.endArray() } else { try sender.endArray(at: eventIndex) }
  }
}
