/// The names of classes in the typed form of a typedstream.
///
/// A class has its own name as its label. If several classes have the same name, the later ones have a number too:
/// `Person#2`.
struct TypedstreamLabels {
  private let classes: [TypedstreamClass]
  private var labels: [String] = []
  private var isTaken: Set<ExactString> = []

  init(_ classes: [TypedstreamClass]) {
    self.classes = classes
    for type in classes {
      var (label, number) = (type.name, 2)
      while !isTaken.insert(ExactString(label)).inserted {
        label = "\(type.name)#\(number)"
        number += 1
      }
      labels.append(label)
    }
  }

  /// The label of the class with a number.
  subscript(_ number: TypedstreamClassNumber) -> String { labels[number.index] }

  /// Sends the classes that are not as expected.
  func send(to sink: any ValueSink) throws(FerryError) {
    var hasBegun = false
    for (number, type) in zip(classes.numbers, classes) {
      let label = self[number]
      let usual = TypedstreamClassTable.usual(label)
      let superclass = type.superclass.map { self[$0] }
      let isNamed = label.equals(type.name)
      if isNamed, type.version == usual.version, superclass == usual.superclass { continue }
      if !hasBegun {
        try sink.key(BorrowedText("$classes".utf8.span))
        try sink.beginDictionary(count: nil)
        hasBegun = true
      }
      try TypedNotation.withKey(BorrowedText(label.utf8.span)) { key throws(FerryError) in
        try sink.key(key)
      }
      try sink.beginDictionary(count: nil)
      if !isNamed { try send("name", type.name, to: sink) }
      try sink.key(BorrowedText("version".utf8.span))
      try sink.integer(Int128(type.version))
      if let superclass { try send("super", superclass, to: sink) }
      try sink.endDictionary()
    }
    if hasBegun { try sink.endDictionary() }
  }

  private func send(_ key: String, _ text: String, to sink: any ValueSink) throws(FerryError) {
    try sink.key(BorrowedText(key.utf8.span))
    try sink.string(BorrowedText(text.utf8.span))
  }
}
