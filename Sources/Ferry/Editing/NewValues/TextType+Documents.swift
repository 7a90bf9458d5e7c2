// The values of whole documents that a user gives as a new value.

extension TextType {
  /// Returns the value of a property list: in XML, also without the element `plist`, in binary form, or in the notation of OpenStep or GNUstep.
  /// An archive is read as it is stored. Errors have no source location, which would be mistaken for one in the edited file.
  static func value(ofPropertyList bytes: [UInt8], budget: Budget) throws(FerryError) -> Value {
    // OpenStep's notation reads an empty file as an empty dictionary, but an empty value is more likely a command that failed.
    guard bytes.contains(where: { !FormatHead.isSpace($0) }) else {
      throw FerryError(.path(.cannotPut("this property list", "it is empty")))
    }
    var options = EditableFile.Options()
    options.format = format(ofPropertyList: bytes)
    (options.representation, options.budget) = (.raw, budget)
    do throws(FerryError) {
      let file = try EditableFile(bytes, options: options)
      return try value(of: file.list, file.list.root)
    } catch {
      switch error.reason {
      case .path: throw error
      case .overBudget: throw FerryError(error.reason)
      default: break
      }
      let location = error.location.isEmpty ? "" : "\(error.location): "
      throw FerryError(.path(.cannotPut("this property list", .other("\(location)\(error.reason)"))))
    }
  }

  /// Returns the value of a whole document in the typed form. Its layout, which describes the bytes of a file, is left out.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` for an archive or a typedstream, of which only the parts are values.
  static func value(ofTypedDocument text: String, budget: Budget) throws(FerryError) -> Value {
    let nodes = PropertyListTree(budget: budget)
    do throws(FerryError) {
      let tape = try TypedDocument.tape(
        reading: MemoryInput(Array(text.utf8)), format: .json, budget: budget, losses: nil)
      guard try TypedDocument.readValue(of: tape, into: nodes) else {
        throw FerryError(
          .path(
            .cannotPut(
              "this document",
              "it is an archive or a typedstream (give a value in it, such as {\"$class\": …})")))
      }
    } catch {
      if case .path = error.reason { throw error }
      throw badText(text, because: error)
    }
    return try value(of: nodes, nodes.root)
  }

  /// Returns true if a value in the typed form is a whole document.
  package static func isTypedDocument(_ value: Value) -> Bool {
    guard case .dictionary(let entries) = value else { return false }
    return entries[.string(DocumentProbe.mark.string)] != nil
  }

  private static func value(
    of nodes: some PropertyListNodes, _ root: NodeID
  ) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try nodes.replay(root, into: builder, budget: nodes.budget)
    guard builder.repeatedKeyCount == 0 else {
      throw FerryError(.path(.cannotPut("this value", "it has a dictionary with the same key twice")))
    }
    return try builder.result()
  }

  /// Returns true if a text is meant as a property list: one in XML, also without the element `plist`, one in binary form, or a dictionary in
  /// the notation of OpenStep. Other texts that are property lists, such as a word, are not meant as one.
  package static func isLikelyPropertyList(_ text: String, budget: Budget) -> Bool {
    let bytes = Array(text.utf8)
    guard FileSignature.binaryPropertyList.begins(bytes) || beginsWithElement(bytes) || text.hasPrefix("{")
    else {
      return false
    }
    return (try? value(ofPropertyList: bytes, budget: budget)) != nil
  }

  /// Returns the format in which a property list is read.
  private static func format(ofPropertyList bytes: [UInt8]) -> Format {
    if FileSignature.binaryPropertyList.begins(bytes) { return .binaryPropertyList }
    let isUTF16 = ByteOrderMark.utf16BigEndian.begins(bytes) || ByteOrderMark.utf16LittleEndian.begins(bytes)
    // The reader of GNUstep's notation also takes that of OpenStep, which is a part of it.
    return isUTF16 || beginsWithElement(bytes) ? .xmlPropertyList : .gnustepPropertyList
  }

  /// Returns true if a text begins with XML. Data in the notation of OpenStep has nothing but hexadecimal digits after its angle bracket, and
  /// each name of an element in a property list has another letter.
  private static func beginsWithElement(_ bytes: [UInt8]) -> Bool {
    let text = bytes.dropFirst(bytes.utf8MarkCount).drop(while: FormatHead.isSpace)
    guard text.first == UInt8(ascii: "<") else { return false }
    if let next = text.dropFirst().first, next == UInt8(ascii: "?") || next == UInt8(ascii: "!") {
      return true
    }
    let name = text.dropFirst().prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return name.contains { $0 | 0x20 > UInt8(ascii: "f") }
  }
}
