extension EventTape {
  /// Returns a description of the value at a tape index for a message.
  func words(at index: TapeIndex) -> String {
    switch kind(at: index) {
    case .null: "nothing"
    case .boolean: boolean(at: index) ? "true" : "false"
    case .integer, .real, .single, .number: MessageText.number(notation(at: index) ?? "")
    case .string, .key: MessageText.quoted(String(escapingSurrogatesOf: text(at: index)))
    case .data: "data"
    case .date: "a date"
    case .uid: "a reference of an archive"
    case .reference: "an object that is elsewhere"
    case .beginArray: "an array"
    case .beginSet: "a set"
    case .beginDictionary: "a dictionary"
    case .beginObject: "a \(MessageText.name(type(at: index).name))"
    case .beginKey, .endKey, .endArray, .endSet, .endDictionary, .endObject: "an end"
    }
  }
}
