extension NIBArchive {
  /// The key of the elements of collections, which have no keys of their own.
  private static let elementKey = "UINibEncoderEmptyKey"
  /// A key of collections that contains no data.
  private static let markKey = "NSInlinedValue"

  /// Returns the objects in the layout of a keyed archive, so that they are read like those of one.
  ///
  /// The object with the number 0 becomes the root. Object n gets the number n + 1, and the classes follow. The elements of
  /// collections move to `NS.objects` and `NS.keys`. An NSString, an NSData or an NSNumber becomes its value.
  func nodes(budget: Budget) throws(FerryError) -> PropertyListTree {
    let tree = PropertyListTree(for: "a keyed archive", budget: budget)
    try tree.beginDictionary(count: 4)
    try tree.send("$version")
    try tree.integer(100_000)
    try tree.send("$archiver")
    try tree.text("NSKeyedArchiver")
    try tree.send("$top")
    try tree.beginDictionary(count: 1)
    try tree.send("root")
    try tree.uid(Self.uid(ofObject: 0))
    try tree.endDictionary()
    try tree.send("$objects")
    try tree.beginArray(count: 1 + objects.count + classes.count)
    try tree.text("$null")
    for object in objects { try send(object, to: tree) }
    for type in classes { try send(type, to: tree) }
    try tree.endArray()
    try tree.endDictionary()
    try tree.finish()
    return tree
  }

  private static func uid(ofObject number: Int) -> UInt64 { UInt64(number) + 1 }

  private func send(_ type: Class, to tree: PropertyListTree) throws(FerryError) {
    try tree.beginDictionary(count: nil)
    try tree.send("$classname")
    try tree.text(type.name)
    // A nib file has no superclasses. Only those of the collections are needed.
    try tree.send("$classes")
    try tree.beginArray(count: nil)
    for name in [type.name] + (Self.superclasses[ExactString(type.name)] ?? []) { try tree.text(name) }
    try tree.endArray()
    if !type.fallbacks.isEmpty {
      try tree.send("$classhints")
      try tree.beginArray(count: type.fallbacks.count)
      for number in type.fallbacks { try tree.text(classes[number].name) }
      try tree.endArray()
    }
    try tree.endDictionary()
  }

  private static let superclasses: [ExactString: [String]] = [
    "NSArray": ["NSObject"], "NSMutableArray": ["NSArray", "NSObject"], "NSDictionary": ["NSObject"],
    "NSMutableDictionary": ["NSDictionary", "NSObject"], "NSSet": ["NSObject"],
    "NSMutableSet": ["NSSet", "NSObject"], "NSOrderedSet": ["NSObject"],
    "NSMutableOrderedSet": ["NSOrderedSet", "NSObject"], "NSMutableString": ["NSString", "NSObject"],
    "NSMutableData": ["NSData", "NSObject"],
  ]

  // MARK: Objects

  private func send(_ object: Object, to tree: PropertyListTree) throws(FerryError) {
    if try sendScalar(object, to: tree) { return }
    try tree.beginDictionary(count: nil)
    if let elements = elements(of: object) {
      try send(elements, isDictionary: classes[object.type].name.hasSuffix("Dictionary"), to: tree)
    } else {
      try sendEntries(of: object, to: tree)
    }
    try tree.send("$class")
    try tree.uid(UInt64(objects.count + object.type) + 1)
    try tree.endDictionary()
  }

  /// Sends an object that is a string, data or a number in a keyed archive. Returns false for other objects.
  private func sendScalar(_ object: Object, to tree: PropertyListTree) throws(FerryError) -> Bool {
    guard object.values.count == 1 else { return false }
    let entry = entries[object.values.lowerBound]
    switch (classes[object.type].name, keys[entry.key], entry.value) {
    case ("NSString", "NS.bytes", .data(let range)):
      // Other bytes stay an object with data.
      if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
      try tree.string(BorrowedText(bytes.span.extracting(range)))
    case ("NSData", "NS.bytes", .data(let range)): try tree.data(bytes.span.extracting(range))
    case ("NSNumber", "NS.intval", .integer(let number)): try tree.integer(Int128(number))
    case ("NSNumber", "NS.dblval", .real(let number)): try tree.real(number)
    case ("NSNumber", "NS.floatval", .single(let number)): try tree.single(number)
    case ("NSNumber", "NS.boolval", .boolean(let value)): try tree.boolean(value)
    default: return false
    }
    return true
  }

  /// Returns the numbers of the elements of a collection, or of its alternating keys and values, with nil for nil. Returns nil
  /// for other objects.
  private func elements(of object: Object) -> [Int?]? {
    guard Self.superclasses[ExactString(classes[object.type].name)] != nil else { return nil }
    var (elements, isMarked): ([Int?], Bool) = ([], false)
    for entry in entries[object.values] {
      switch (keys[entry.key], entry.value) {
      case (Self.markKey, .boolean(true)): isMarked = true
      case (Self.elementKey, .object(let number)): elements.append(number)
      case (Self.elementKey, .null): elements.append(nil)
      default: return nil
      }
    }
    let isDictionary = classes[object.type].name.hasSuffix("Dictionary")
    return isMarked && !(isDictionary && elements.count % 2 == 1) ? elements : nil
  }

  private func send(
    _ elements: [Int?], isDictionary: Bool, to tree: PropertyListTree
  ) throws(FerryError) {
    if isDictionary {
      try tree.send("NS.keys")
      try send(stride(from: 0, to: elements.count, by: 2).map { elements[$0] }, to: tree)
    }
    try tree.send("NS.objects")
    try send(
      isDictionary ? stride(from: 1, to: elements.count, by: 2).map { elements[$0] } : elements, to: tree)
  }

  private func send(_ elements: [Int?], to tree: PropertyListTree) throws(FerryError) {
    try tree.beginArray(count: elements.count)
    for element in elements { try tree.uid(element.map(Self.uid(ofObject:)) ?? 0) }
    try tree.endArray()
  }

  /// Sends the values of an object under their keys. Values without keys get those that an archiver gives them: `$0`, `$1` …
  private func sendEntries(of object: Object, to tree: PropertyListTree) throws(FerryError) {
    var unnamed = 0
    for entry in entries[object.values] {
      let key = keys[entry.key]
      if key == Self.elementKey {
        try tree.send("$\(unnamed)")
        unnamed += 1
      } else {
        try tree.send(key.utf8.first == UInt8(ascii: "$") ? "$\(key)" : key)
      }
      switch entry.value {
      case .integer(let number): try tree.integer(Int128(number))
      case .boolean(let value): try tree.boolean(value)
      case .single(let number): try tree.single(number)
      case .real(let number): try tree.real(number)
      case .data(let range): try tree.data(bytes.span.extracting(range))
      case .null: try tree.uid(0)
      case .object(let number): try tree.uid(Self.uid(ofObject: number))
      }
    }
  }
}

extension PropertyListTree {
  fileprivate func send(_ key: String) throws(FerryError) { try self.key(BorrowedText(key.utf8.span)) }

  fileprivate func text(_ text: String) throws(FerryError) { try string(BorrowedText(text.utf8.span)) }
}
