/// The namespace declarations of the open elements.
///
///     <a xmlns:p="urn:1" xmlns:q="urn:2">      xmlns:p="urn:1" xmlns:q="urn:2"
///       <b xmlns:p="urn:3">                    xmlns:p="urn:3" xmlns:q="urn:2"
struct NamespaceScopes {
  private var declarations: [(name: XMLName, namespace: [UInt8])] = []
  /// The number of declarations outside of each open element.
  private var outer: [Int] = []

  /// Opens an element.
  mutating func open(_ element: borrowing XMLStartTag) {
    outer.append(declarations.count)
    for index in 0..<element.declarationCount {
      let namespace = [UInt8](copying: element.declarationValue(index).utf8)
      declarations.append((element.declarationName(index), namespace))
    }
  }

  /// Closes the innermost element.
  mutating func close() {
    if let count = outer.popLast() { declarations.removeSubrange(count...) }
  }

  /// The declarations in scope, those of the innermost element first.
  var inScope: [(name: XMLName, namespace: [UInt8])] {
    var found: [(name: XMLName, namespace: [UInt8])] = []
    var end = declarations.count
    for start in outer.reversed() {
      for declaration in declarations[start..<end]
      where !found.contains(where: { $0.name === declaration.name }) {
        found.append(declaration)
      }
      end = start
    }
    return found
  }
}
