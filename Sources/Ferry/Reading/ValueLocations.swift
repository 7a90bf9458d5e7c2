/// The source locations of values at some paths, found by reading an input with source locations.
///
/// Most losses and warnings are found by sinks, which receive the events of a reader long after that has read them, and know only the path.
/// Events with source locations would take more time each time a file is read, so the file is read once more instead.
///
///     [{"born": …}, {"born": …}]     [1].born ▸ line 1, column 16
final class ValueLocations {
  /// A value on one of the paths.
  fileprivate struct Node {
    var children: [ValuePath.Step: Int] = [:]
    /// The location of the first value with the path.
    var location: InputLocation?
    /// The locations of the keys that follow the first one with the path.
    var repeats: [InputLocation] = []
    /// The number of those that were returned.
    var returned = 0
    /// The numbers of requested locations: of repeated keys, and of the value.
    var (repeated, others) = (0, 0)
  }

  fileprivate var nodes = [Node()]
  /// The number of requested locations that have not been found.
  fileprivate var missing = 0
  /// True if no location is requested.
  var isEmpty: Bool { nodes.count == 1 }

  /// Requests the location of the value at a path, or of the key that occurs there once more.
  func add(_ path: ValuePath, isRepeatedKey: Bool) {
    guard !path.isEmpty else { return }
    var node = 0
    for step in path.steps {
      if let child = nodes[node].children[step] {
        node = child
      } else {
        nodes.append(Node())
        nodes[node].children[step] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    if isRepeatedKey { nodes[node].repeated += 1 } else { nodes[node].others += 1 }
    missing += 1
  }

  /// Returns the location of the value at a path, or else of the innermost value around it that has been found inside the outermost one. Each
  /// call for a repeated key returns the location of the next one.
  func location(of path: ValuePath, isRepeatedKey: Bool) -> InputLocation {
    var (node, location) = (0, InputLocation())
    for step in path.steps {
      guard let child = nodes[node].children[step] else { break }
      node = child
      if let found = nodes[node].location { location = found }
    }
    guard isRepeatedKey, nodes[node].returned < nodes[node].repeats.count else { return location }
    defer { nodes[node].returned += 1 }
    return nodes[node].repeats[nodes[node].returned]
  }
}

/// A sink that notes the source locations of values. It stops the reader when it has all of them.
final class LocatingSink: ValueSink {
  /// An open collection.
  private struct Level {
    /// The node of its path, or nil if no requested location is in it.
    var node: Int?
    var isList: Bool
    /// The index of the next element.
    var index = 0
    /// The node of the current entry.
    var child: Int?
    /// True if the list is located at its first element.
    var awaitsElement = false
  }

  private let locations: ValueLocations
  private let locator: SourceLocator
  /// Receives the records that are left out, which the paths count.
  private let failed: FailedRecords?
  /// True if the reader knows the locations of elements, and not those of lists.
  private let locatesListsAtElements: Bool
  private var levels: [Level] = []
  /// The number of open keys that are not strings.
  private var openKeys = 0

  init(
    _ locations: ValueLocations, _ locator: SourceLocator, _ failed: FailedRecords? = nil,
    locatesListsAtElements: Bool
  ) {
    (self.locations, self.locator, self.failed) = (locations, locator, failed)
    self.locatesListsAtElements = locatesListsAtElements
  }

  /// The node of the next value, or nil if no requested location is in it.
  private var next: Int? {
    guard let last = levels.last else { return 0 }
    guard last.isList else { return last.child }
    guard let node = last.node else { return nil }
    // The paths count records that could not be read.
    let isOutermost = !levels.dropLast().contains(where: \.isList)
    let index = last.index + (isOutermost ? failed?.unreadCount ?? 0 : 0)
    return locations.nodes[node].children[.index(index)]
  }

  private func note(_ node: Int) throws(FerryError) {
    guard locations.nodes[node].location == nil else { return }
    locations.nodes[node].location = locator.location
    locations.missing -= locations.nodes[node].others
    try stopIfComplete()
  }

  private func stopIfComplete() throws(FerryError) { if locations.missing <= 0 { throw .stopped } }

  /// Notes the location of a value that begins, unless it is a list that is located at its first element.
  private func begin(isList: Bool = false) throws(FerryError) {
    guard openKeys == 0 else { return }
    if let last = levels.indices.last, levels[last].awaitsElement {
      levels[last].awaitsElement = false
      if let list = levels[last].node { try note(list) }
    }
    guard let node = next, !(isList && locatesListsAtElements) else { return }
    try note(node)
  }

  private func finishValue() {
    if let last = levels.indices.last, levels[last].isList { levels[last].index += 1 }
  }

  private func scalar() throws(FerryError) {
    try begin()
    if openKeys == 0 { finishValue() }
  }

  private func open(isList: Bool) throws(FerryError) {
    try begin(isList: isList)
    guard openKeys == 0 else { return }
    levels.append(Level(node: next, isList: isList, awaitsElement: isList && locatesListsAtElements))
  }

  private func close() {
    guard openKeys == 0 else { return }
    _ = levels.popLast()
    finishValue()
  }

  func null() throws(FerryError) { try scalar() }
  func boolean(_ value: Bool) throws(FerryError) { try scalar() }
  func integer(_ value: Int128) throws(FerryError) { try scalar() }
  func real(_ value: Double) throws(FerryError) { try scalar() }
  func single(_ value: Float) throws(FerryError) { try scalar() }
  func number(_ text: BorrowedText) throws(FerryError) { try scalar() }
  func string(_ text: BorrowedText) throws(FerryError) { try scalar() }
  func data(_ bytes: Span<UInt8>) throws(FerryError) { try scalar() }
  func date(_ secondsSince2001: Double) throws(FerryError) { try scalar() }
  func uid(_ number: UInt64) throws(FerryError) { try scalar() }
  func reference(_ identity: Int) throws(FerryError) { try scalar() }
  func beginArray(count: Int?) throws(FerryError) { try open(isList: true) }
  func endArray() { close() }
  func beginSet(count: Int?) throws(FerryError) { try open(isList: true) }
  func endSet() { close() }
  func beginDictionary(count: Int?) throws(FerryError) { try open(isList: false) }
  func endDictionary() { close() }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) { try begin() }
  func endObject() {}

  func key(_ text: BorrowedText) throws(FerryError) {
    guard openKeys == 0, let last = levels.indices.last else { return }
    levels[last].child = nil
    guard let node = levels[last].node, !locations.nodes[node].children.isEmpty else { return }
    let child = locations.nodes[node].children[.key(String(escapingSurrogatesOf: text))]
    levels[last].child = child
    guard let child, locations.nodes[child].location != nil,
      locations.nodes[child].repeats.count < locations.nodes[child].repeated
    else { return }
    locations.nodes[child].repeats.append(locator.location)
    locations.missing -= 1
    try stopIfComplete()
  }

  func beginKey() {
    openKeys += 1
    if openKeys == 1, let last = levels.indices.last { levels[last].child = nil }
  }

  func endKey() { openKeys -= 1 }
  func finish() {}
}
