/// A type of lists whose elements can be decoded while their file is read.
protocol StreamedList {
  /// Decodes the list in a file. Returns nil if the file has to be read as a whole, also to find out what is wrong with it.
  ///
  /// - Throws: An error of the input, which could not be read again.
  static func decoded(
    from source: DecodedSource, _ role: CodedValue.Role, by decoding: ValueDecoding
  ) throws(FerryError) -> Self?
}

extension Array: StreamedList where Element: Decodable {
  static func decoded(
    from source: DecodedSource, _ role: CodedValue.Role, by decoding: ValueDecoding
  ) throws(FerryError) -> [Element]? {
    // Bytes are data, too. A list of elements of several names, or in their order, is made of all children of the root element.
    guard Element.self != UInt8.self, !(Element.self is any ElementChoice.Type), !decoding.hasContents else {
      return nil
    }
    // Any other input, such as a pipe, is read as a whole at once. A list is a level of its own, which the budget may not allow.
    guard source.input.canBeReadTwice, decoding.decoder.reading.budget.depth > 0 else { return nil }
    if let elements = ListDecoding<Element>(decoding, role).elements(of: source) { return elements }
    try source.input.rewind()
    return nil
  }
}

/// The decoding of the elements of a file's list while the file is read, so that only one of them at a time is in memory as a value.
///
///     [{"name": "Ada"}, {"name": "Grace"}]                                 the whole is the list
///     <people v="1"><person>Ada</person><person>Grace</person></people>   the children of the root element are the list
///
/// Any other file, and one with an error, has to be read as a whole: the decoding then ends the reading with `FerryError.stopped`, and the
/// elements so far are decoded a second time.
private final class ListDecoding<Element: Decodable>: ElementReceiver {
  private let decoding: ValueDecoding
  /// The role of the file's value.
  private let role: CodedValue.Role
  private var list: CodedList?
  private var elements: [Element] = []

  init(_ decoding: ValueDecoding, _ role: CodedValue.Role) { (self.decoding, self.role) = (decoding, role) }

  /// Returns the elements of the list in a file; nil if the file has to be read as a whole.
  func elements(of source: DecodedSource) -> [Element]? {
    let builder = ValueBuilder()
    builder.elements = self
    guard (try? source.read(into: builder)) != nil, list != nil, !builder.mayHaveReplacedElements,
      let whole = try? builder.result(), list(in: whole) != nil
    else { return nil }
    return elements
  }

  func begin(at place: ArrayPlace?) throws(FerryError) {
    guard let place, isList(at: place.keys), let list = list(in: place.whole) else { throw .stopped }
    self.list = list
  }

  /// Returns true for the keys of the whole, and of the child elements of one name in a root element.
  private func isList(at keys: [Value]) -> Bool {
    guard let name = keys.last?.stringValue else { return keys.isEmpty }
    return role == .document && keys.count == 2 && KeyedValues.isElementName(name)
  }

  /// Returns the list in a value, whose elements are handed on; nil for another value.
  private func list(in whole: Value) -> CodedList? {
    guard let list = try? decoding.list(in: CodedValue(whole, role)), list.elements.isEmpty else {
      return nil
    }
    return list
  }

  func receive(_ element: Value) throws(FerryError) {
    guard let list else { throw .stopped }
    do {
      elements.append(try decoding.decodeElement(Element.self, list.element(element, at: elements.count)))
    } catch {
      // The error is found again, with its source location, when the file is read as a whole.
      throw .stopped
    }
  }
}
