// Values as `get` prints them.

extension EditableFile {
  /// Returns the value at a location, and the JSON that `get` prints for it.
  func shown(at location: ValueLocation) throws(FerryError) -> (value: Value, json: Value) {
    let value = try value(at: location)
    let json = try PlainForm.json { sink throws(FerryError) in try send(location, into: sink) }
    return (value, try Value(json: json, budget: options.budget))
  }

  /// Returns the value at a location if `get` prints it as this text, otherwise nil.
  func value(shownAs text: String, at location: ValueLocation) throws(FerryError) -> Value? {
    if try printsText(of: location) {
      let value = try value(at: location)
      guard (value.plainText ?? "null").utf8.elementsEqual(text.utf8) else { return nil }
      return value
    }
    return try collection(shownAs: text, at: location)
  }

  /// Returns the collection or object at a location if `get` prints it as this JSON, otherwise nil.
  func collection(shownAs text: String, at location: ValueLocation) throws(FerryError) -> Value? {
    guard text.hasPrefix("{") || text.hasPrefix("["),
      let json = try? Value(json: Array(text.utf8), budget: options.budget)
    else {
      return nil
    }
    let shown = try shown(at: location)
    guard shown.json == json else { return nil }
    return shown.value
  }
}
