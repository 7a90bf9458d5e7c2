/// Sends the values of JSON. The input is valid.
func readJSON<Next: Receiver & ~Copyable>(_ input: Span<UInt8>, into next: inout Next) {
  var (index, isKey, stack) = (0, false, [Bool]())
  while index < input.count {
    let byte = input[index]
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      isKey = byte == UInt8(ascii: "{")
      stack.append(isKey)
      next.receive(isKey ? .beginDictionary : .beginArray, index..<index, in: input)
      index += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      stack.removeLast()
      next.receive(byte == UInt8(ascii: "}") ? .endDictionary : .endArray, index..<index, in: input)
      index += 1
    case UInt8(ascii: ","):
      isKey = stack.last == true
      index += 1
    case UInt8(ascii: ":"):
      isKey = false
      index += 1
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
    case UInt8(ascii: "\""):
      let start = index + 1
      index = start
      while input[index] != UInt8(ascii: "\"") { index += input[index] == UInt8(ascii: "\\") ? 2 : 1 }
      next.receive(isKey ? .key : .string, start..<index, in: input)
      index += 1
    default:
      let start = index
      while index < input.count, !",]}\n ".utf8.contains(input[index]) { index += 1 }
      next.receive(.literal, start..<index, in: input)
    }
  }
  next.finish(in: input)
}

/// Sends the children of the root element of XML: attributes and elements with only text as entries of dictionaries. The input is valid,
/// has no comments and no CDATA, and references stay as they are.
func readXML<Next: Receiver & ~Copyable>(_ input: Span<UInt8>, into next: inout Next) {
  var (index, depth) = (0, 0)
  while index < input.count {
    guard input[index] == UInt8(ascii: "<") else {
      index += 1
      continue
    }
    let nameStart = index + 1
    index = nameStart
    while !" />".utf8.contains(input[index]) { index += 1 }
    let name = nameStart..<index
    switch input[nameStart] {
    case UInt8(ascii: "?"): while input[index] != UInt8(ascii: ">") { index += 1 }
    case UInt8(ascii: "/"):
      depth -= 1
      next.receive(depth == 0 ? .endArray : .endDictionary, index..<index, in: input)
    default:
      if depth == 0 { next.receive(.beginArray, name, in: input) }
      if depth > 1 { next.receive(.key, name, in: input) }
      var text = index + 1
      while input[index] == UInt8(ascii: ">"), input[text] != UInt8(ascii: "<") { text += 1 }
      if depth > 1, text > index + 1, input[text + 1] == UInt8(ascii: "/") {
        next.receive(.string, index + 1..<text, in: input)
        index = text + 1
        while input[index] != UInt8(ascii: ">") { index += 1 }
        break
      }
      if depth > 0 { next.receive(.beginDictionary, name, in: input) }
      depth += 1
      while input[index] != UInt8(ascii: ">") {
        let start = index + 1
        index = start
        while input[index] != UInt8(ascii: "=") { index += 1 }
        next.receive(.key, start..<index, in: input)
        let value = index + 2
        index = value
        while input[index] != UInt8(ascii: "\"") { index += 1 }
        next.receive(.string, value..<index, in: input)
        index += 1
      }
    }
    index += 1
  }
  next.finish(in: input)
}
