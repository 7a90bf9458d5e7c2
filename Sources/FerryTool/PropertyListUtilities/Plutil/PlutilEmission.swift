import Ferry

/// A value in one of the formats that `plutil` writes.
struct PlutilEmission {
  let value: Value
  let format: PlutilFormat
  /// The format of text in the syntax of OpenStep: that of the file that is written anew.
  var openStepFormat = Format.openStepPropertyList
  /// True if the value comes from JSON.
  var isFromJSON = false
  /// True to pretty-print JSON.
  var isReadable = false
  /// The key path of the value, for messages.
  var keyPath: PlutilKeyPath?

  /// Returns the bytes of an output.
  ///
  /// - Parameters:
  ///   - input: The name of the property list's file.
  ///   - output: The name of the output.
  func bytes(from input: String, to output: String) throws(PlutilError) -> [UInt8] {
    switch format {
    case .xml1: try propertyList(as: .xmlPropertyList)
    case .binary1: try propertyList(as: .binaryPropertyList)
    case .openstep: try propertyList(as: openStepFormat)
    case .json: try json()
    case .swift: Array(try swift(from: input).utf8)
    case .objc: Array(try objectiveC(from: input, to: output).text.utf8)
    case .raw: Array(try raw().utf8)
    case .type: Array(PlutilType(of: value).rawValue.utf8)
    }
  }

  private func propertyList(as format: Format) throws(PlutilError) -> [UInt8] {
    let output = MemoryOutput()
    let sentence = "Invalid object in plist for property list format"
    if let part = value.firstPart(kindNotHeld) { throw .notHeld(sentence, part) }
    do throws(FerryError) {
      guard let writer = try format.valueWriter(to: output) else { return [] }
      let sink = format == .xmlPropertyList ? writer.receivingSortedKeys : writer
      try value.withNumbersOfPropertyLists.replay(into: sink)
      try sink.finish()
    } catch {
      throw PlutilError("\(sentence): \(error.message)")
    }
    return output.bytes
  }

  /// Returns the kind of a value that a property list in the format cannot represent; nil if it can.
  private func kindNotHeld(_ value: Value) -> String? {
    switch value {
    case .null: return "null"
    case .number(let digits): return value.withNumbersOfPropertyLists == value ? "the number \(digits)" : nil
    case .set where format != .binary1: return "a set"
    default: break
    }
    guard format == .openstep else { return nil }
    return switch PlutilType(of: value) {
    case .string, .data, .array, .dictionary: nil
    case .any: "a reference of an archive"
    case let type: type.noun
    }
  }

  private func json() throws(PlutilError) -> [UInt8] {
    let sentence = "Invalid object in plist for JSON format"
    switch value {
    case .array, .dictionary: break
    default:
      throw PlutilError("\(sentence): \(PlutilType(of: value).noun) that is not in an array or a dictionary")
    }
    if let part = value.firstPart(FoundationJSON.kindNotHeld) { throw .notHeld(sentence, part) }
    return FoundationJSON(of: value, isPretty: isReadable, keepsReals: isFromJSON).text
  }

  private func swift(from input: String) throws(PlutilError) -> String {
    if let part = value.firstPart(SwiftLiteral.kindNotHeld) {
      throw .notHeld("Input contains an object that cannot be represented in Swift literal syntax", part)
    }
    return SwiftLiteral(of: value, name: LiteralName(ofFile: input)).text
  }

  /// Returns the literal in Objective-C. Only that in a file imports its header.
  func objectiveC(from input: String, to output: String) throws(PlutilError) -> ObjectiveCLiteral {
    if let part = value.firstPart(ObjectiveCLiteral.kindNotHeld) {
      throw .notHeld("Input contains an object that cannot be represented in Obj-C literal syntax", part)
    }
    return ObjectiveCLiteral(
      of: value, name: LiteralName(ofFile: input), output: output == "-" ? nil : output)
  }

  /// Returns a value as a script needs it: without quotation marks, an array as its count, a dictionary as its keys.
  private func raw() throws(PlutilError) -> String {
    switch value {
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let number): return number.notation
    case .real(let number): return PropertyListText.real(number)
    case .single(let number): return PropertyListText.real(Double(number))
    case .number(let digits): return digits
    case .string(let text): return text
    case .unpairedString(let units): return PropertyListText.repaired(units)
    case .data(let bytes): return String(decoding: Base64.encode(bytes.span), as: UTF8.self)
    case .date(let seconds): return PropertyListText.date(seconds)
    case .array(let elements), .set(let elements): return "\(elements.count)"
    case .dictionary(let entries):
      return entries.collated.map { PropertyListText.shown($0.key) }.joined(separator: "\n")
    case .uid(let number): return "\(number)"
    case .null, .object, .reference:
      let path = keyPath?.description ?? "unknown key path"
      throw PlutilError(
        "Value at \(path) is a \(PlutilType(of: value).rawValue) type and cannot be extracted in raw format")
    }
  }
}
