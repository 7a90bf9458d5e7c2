/// The prefixes that are declared in the open elements of a document that is written.
struct OpenPrefixes {
  /// A prefix and its namespace.
  struct Binding {
    let prefix: [UInt8]
    let namespace: [UInt8]
    /// The number in a prefix that was made for the namespace, such as `ns1`; nil for other prefixes.
    var number: Int?
  }

  /// The declarations, the innermost last.
  private var bindings = [Binding(prefix: Array("xml".utf8), namespace: Array(XMLNamespace.xml.utf8))]
  /// The indices of the declarations of each prefix and of each namespace, if there are many.
  private var indicesOfPrefix: [[UInt8]: [Int]] = [:]
  private var indicesOfNamespace: [[UInt8]: [Int]] = [:]
  /// The numbers of the prefixes that were made.
  private var numbers: [Int] = []

  /// The largest number of declarations among which a search takes less time than with dictionaries.
  private static let mostSearched = 16

  /// The number of declarations.
  var count: Int { bindings.count }

  /// The highest number of a prefix that was made. The numbers grow inward.
  var lastNumber: Int { numbers.last ?? 0 }

  /// Adds a declaration of the innermost element.
  mutating func append(_ binding: Binding) {
    bindings.append(binding)
    if let number = binding.number { numbers.append(number) }
    guard count > Self.mostSearched else { return }
    for index in (indicesOfPrefix.isEmpty ? 0 : count - 1)..<count {
      indicesOfPrefix[bindings[index].prefix, default: []].append(index)
      indicesOfNamespace[bindings[index].namespace, default: []].append(index)
    }
  }

  /// Removes the declarations of the innermost element, after the first ones.
  mutating func removeAll(after kept: Int) {
    while count > kept {
      let binding = bindings.removeLast()
      if binding.number != nil { numbers.removeLast() }
      guard !indicesOfPrefix.isEmpty else { continue }
      Self.removeLast(of: binding.prefix, in: &indicesOfPrefix)
      Self.removeLast(of: binding.namespace, in: &indicesOfNamespace)
    }
    if count <= Self.mostSearched, !indicesOfPrefix.isEmpty {
      (indicesOfPrefix, indicesOfNamespace) = ([:], [:])
    }
  }

  private static func removeLast(of key: [UInt8], in indices: inout [[UInt8]: [Int]]) {
    indices[key]?.removeLast()
    if indices[key]?.isEmpty == true { indices[key] = nil }
  }

  /// Returns true if a prefix is declared.
  ///
  /// - Parameter includingMade: True also for a prefix that was made.
  func declares(_ prefix: Span<UInt8>, includingMade: Bool) -> Bool {
    guard indicesOfPrefix.isEmpty else {
      let indices = indicesOfPrefix[[UInt8](copying: prefix)] ?? []
      return indices.contains { includingMade || bindings[$0].number == nil }
    }
    for binding in bindings.reversed() where binding.prefix.span.equals(prefix) {
      if includingMade || binding.number == nil { return true }
    }
    return false
  }

  /// Returns true if several declarations are of a namespace.
  func hasSeveral(of namespace: [UInt8]) -> Bool { indices(of: namespace).count > 1 }

  /// Returns the innermost declaration of a namespace that no other hides; nil if there is none.
  ///
  /// - Parameter isHidden: Returns true for a prefix that the next element will declare.
  func binding(of namespace: [UInt8], unless isHidden: ([UInt8]) -> Bool) -> Binding? {
    for index in indices(of: namespace).reversed() {
      let binding = bindings[index]
      if !isHidden(binding.prefix), isInnermost(index) { return binding }
    }
    return nil
  }

  private func indices(of namespace: [UInt8]) -> [Int] {
    guard indicesOfNamespace.isEmpty else { return indicesOfNamespace[namespace] ?? [] }
    return bindings.indices.filter { bindings[$0].namespace == namespace }
  }

  /// Returns true if no inner declaration has the prefix of one.
  private func isInnermost(_ index: Int) -> Bool {
    let prefix = bindings[index].prefix
    guard indicesOfPrefix.isEmpty else { return indicesOfPrefix[prefix]?.last == index }
    return !bindings[(index + 1)...].contains { $0.prefix == prefix }
  }
}
