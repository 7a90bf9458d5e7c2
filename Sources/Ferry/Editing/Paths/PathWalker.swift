/// A resolver of paths in a property list, or in the decoded objects of an archive.
///
/// References are followed. A collection has elements or entries independent of its layout, and any other
/// object has its archived keys. In an archive, only the objects on the path are read.
struct PathWalker {
  let nodes: any PropertyListNodes
  /// The archive, or nil for a property list and for an archive that is shown raw.
  let archive: ArchiveObjects?
  /// The decoded forms of the archive's objects.
  let decodedForms: ArchiveDecodedForms?
  /// True if the last of several equal keys in a dictionary is used, as in text formats; false if the first
  /// is, as in binary files.
  let lastKeyWins: Bool
  /// The typedstream that the values come from, or nil.
  var typedstream: TypedstreamTree?
  /// True if the error of a missing key lists other keys and a similar one, which takes time in proportion to their number.
  var listsKeys = true

  /// Returns the location at which a path starts, and the number of steps that lead to it.
  ///
  /// - Parameter leadsBeside: False if the first step does not lead to an entry of an archive beside its objects, because it is the key of a
  ///   new value.
  func start(
    _ steps: ArraySlice<ValuePath.Step>, leadsBeside: Bool = true
  ) throws(FerryError) -> (location: ValueLocation, taken: Int) {
    let root = ValueLocation(trail: NodeTrail(), node: nodes.root)
    guard let archive else { return (root, 0) }
    if case .key(let key)? = steps.first, key == "$objects" || key == "$archiver" || key == "$version" {
      return (root, 0)
    }
    if leadsBeside, try leadsBesideObjects(steps.first) { return (root, 0) }
    guard let entry = try nodes.entry("$top", of: nodes.root) else { return (root, 0) }
    let top = try root.child(.value(entry), in: nodes)
    if steps.first == .key("$top") { return (top, 1) }
    guard archive.hasOnlyRoot else { return (top, 0) }
    let value = try top.child(.value(0), in: nodes, isField: true)
    // `root` may be a step to a single root, unless the root's value has a key with this name.
    if steps.first == .key("root"), try index(of: "root", in: try parts(of: value)) == nil {
      return (value, 1)
    }
    return (value, 0)
  }

  /// Returns true if the first step of a path leads to an entry that an archive has beside its objects. A part of the archive's value with
  /// the same key, or data that may have it, takes precedence.
  func leadsBesideObjects(_ step: ValuePath.Step?) throws(FerryError) -> Bool {
    guard let archive, case .key(let key)? = step,
      !ArchiveObjects.Entry.allCases.contains(where: { key.equals($0.key.description) })
    else { return false }
    let root = ValueLocation(trail: NodeTrail(), node: nodes.root)
    guard try index(of: key, in: NodeParts(of: root, in: nodes)) != nil,
      let entry = try nodes.entry("$top", of: nodes.root)
    else { return false }
    let top = try root.child(.value(entry), in: nodes)
    let topParts = try NodeParts(of: top, in: nodes)
    guard archive.hasOnlyRoot else { return try index(of: key, in: topParts) == nil }
    guard !key.equals("root") else { return false }
    let value = try top.child(.value(0), in: nodes, isField: true)
    let parts = try parts(of: value)
    if parts.isList, Int(key) != nil { return false }
    if try dataLocation(of: value) != nil { return false }
    return try child(key, of: value, parts) == nil
  }

  /// Returns the target of a reference. Returns any other location, including a null reference, unchanged.
  func target(of location: ValueLocation) throws(FerryError) -> ValueLocation {
    if let typedstream { return try target(of: location, in: typedstream) ?? location }
    guard location.inner.isEmpty, let (number, node) = try object(referredToBy: location.node) else {
      return location
    }
    let entry = try nodes.entry("$objects", of: nodes.root) ?? 0
    return ValueLocation(trail: NodeTrail(children: [.value(entry), .element(number)]), node: node)
  }

  /// Returns the object that a reference by path in a typedstream means. Returns nil for other values, and if a change has moved the
  /// object.
  private func target(
    of location: ValueLocation, in typedstream: TypedstreamTree
  ) throws(FerryError) -> ValueLocation? {
    guard let pointer = try typedstream.pointer(at: location.node),
      let path = try? ValuePath(parsing: pointer)
    else { return nil }
    var target = ValueLocation(trail: NodeTrail(), node: nodes.root)
    // References on the path are not followed: one may lead back to this one.
    for step in path.steps {
      guard case .key(let key) = step else { return nil }
      let parts = try NodeParts(of: target, in: nodes)
      guard let index = try parts.isList ? Int(key) : self.index(of: key, in: parts),
        0..<parts.count ~= index
      else { return nil }
      target = try parts.location(index, in: nodes)
    }
    guard typedstream.object(at: target.node) == typedstream.object(at: location.node),
      try typedstream.pointer(at: target.node) == nil
    else { return nil }
    return target
  }

  /// Returns the node of the target of a reference. Returns any other node, including a null reference, unchanged.
  func target(of node: NodeID) throws(FerryError) -> NodeID { try object(referredToBy: node)?.node ?? node }

  private func object(referredToBy node: NodeID) throws(FerryError) -> (number: Int, node: NodeID)? {
    guard let archive, case .uid(let uid) = try nodes.kind(of: node), uid != 0,
      uid < UInt64(archive.count) || !archive.isLenient
    else { return nil }
    let target = try archive.node(of: uid, referredFrom: node)
    // An object that exists has a number below their count.
    return (Int(uid), target)
  }

  /// Returns the class of an object, or nil for other values.
  func type(of target: ValueLocation) throws(FerryError) -> ObjectClass? {
    guard let archive, case .dictionary(let count) = try nodes.kind(of: target.node) else { return nil }
    return try archive.type(of: target.node, count: count)
  }

  /// Returns the parts of the value at a location, following a reference.
  func parts(of location: ValueLocation) throws(FerryError) -> NodeParts {
    if let list = try decodedList(at: location) { return list }
    let target = try target(of: location)
    guard let type = try type(of: target) else { return try NodeParts(of: target, in: nodes) }
    return try NodeParts(of: target, type: type, in: nodes)
  }

  /// Follows one step. Returns nil if the value is data, because the path may continue in the data.
  func step(_ step: ValuePath.Step, from location: ValueLocation) throws(FerryError) -> ValueLocation? {
    if !location.inner.isEmpty { return try self.step(step, fromPart: location) }
    let parts = try parts(of: location)
    switch try numbered(step, in: parts) {
    case .index(let index) where parts.isList:
      return try real(parts.location(try ValuePath.elementIndex(index, count: parts.count), in: nodes))
    case .key(let key):
      if parts.isList, let index = Int(key) {
        return try real(parts.location(try ValuePath.elementIndex(index, count: parts.count), in: nodes))
      }
      if let found = try child(key, of: location, parts) { return found }
      if try dataLocation(of: location) != nil { return nil }
      let target = try target(of: location)
      guard !parts.isList, try nodes.kind(of: target.node).isCollection else {
        throw try noKeys(key, in: parts, at: location)
      }
      throw try noKey(key, in: parts, of: target)
    case .end where parts.isList: throw FerryError(.path(.afterLast))
    default:
      if try dataLocation(of: location) != nil { return nil }
      throw try noStep(step, at: location)
    }
  }

  /// Returns the location of the value that a key selects, or nil if there is none.
  func child(
    _ key: String, of location: ValueLocation, _ parts: NodeParts
  ) throws(FerryError) -> ValueLocation? {
    if let index = try index(of: key, in: parts) { return try parts.location(index, in: nodes) }
    let target = try target(of: location)
    if let field = try archivedField(key, of: target) { return field }
    if let part = try part(.key(key), of: target) { return part }
    return try keyObject(key, in: parts)
  }

  /// Returns a step with the index of the element that `step` selects by its contents. Returns other steps
  /// unchanged.
  func numbered(_ step: ValuePath.Step, in parts: NodeParts) throws(FerryError) -> ValuePath.Step {
    guard case .filter(let filter) = step, parts.isList else { return step }
    let found = try elements(matching: filter, in: parts, areChanged: false)
    guard found.count == 1 else { throw FerryError(.path(.notOneElement(filter, count: found.count))) }
    return .index(found[0])
  }

  /// Returns the location of the data at a location, looking into an object that wraps it, or nil.
  func dataLocation(of location: ValueLocation) throws(FerryError) -> ValueLocation? {
    guard location.inner.isEmpty else { return nil }
    let target = try target(of: location)
    if try nodes.kind(of: target.node) == .data { return target }
    guard case .archived(let node)? = try decodedForm(at: target),
      let held = try self.location(of: node, in: target)
    else { return nil }
    let data = try self.target(of: held)
    return try nodes.kind(of: data.node) == .data ? data : nil
  }

  // MARK: Scalars

  /// Returns the text of a scalar in the plain form, looking into an object that wraps it. Returns nil for
  /// other values.
  func text(of location: ValueLocation) throws(FerryError) -> String? { try scalar(of: location)?.plainText }

  /// Returns a scalar in the plain form, looking into an object that wraps it. Returns nil for other values.
  func scalar(of location: ValueLocation) throws(FerryError) -> Value? {
    guard try isScalar(location) else { return nil }
    let builder = ValueBuilder()
    if let archive, let decodedForms {
      var reader = ArchiveReader(
        archive, into: builder, sharing: .leavesInFull, budget: nodes.budget, catalog: decodedForms.catalog,
        decodedForms: decodedForms.use)
      if location.inner.isEmpty {
        try reader.read(from: location.node)
      } else if let part = try decodedForm(at: location) {
        try reader.read(part, of: location.node)
      }
    } else {
      try nodes.replay(location.node, into: builder, budget: nodes.budget)
    }
    return try builder.result()
  }

  /// Returns true if the value at a location is a scalar, an object that wraps a scalar, or a scalar part of
  /// a decoded form.
  func isScalar(_ location: ValueLocation) throws(FerryError) -> Bool {
    let target = try target(of: location)
    guard let decodedForms, try type(of: target) != nil else {
      return try !nodes.kind(of: target.node).isCollection
    }
    switch try decodedForm(at: target) {
    case .scalar?: return true
    case .archived(let node)?:
      let held = try decodedForms.target(of: node)
      if try !nodes.kind(of: held).isCollection { return true }
      return try decodedForms.scalar(at: held) != nil
    case .list?, .record?, nil: return false
    }
  }

  // MARK: Descriptions

  /// Returns the error for a step that does not apply to the value at a location.
  func noStep(_ step: ValuePath.Step, at location: ValueLocation) throws(FerryError) -> FerryError {
    let found = try name(of: location)
    guard location.inner.isEmpty, try nodes.kind(of: target(of: location).node).isCollection else {
      return FerryError(.path(.noStep(step.inWords, into: found)))
    }
    return switch step {
    case .filter: FerryError(.path(.noList(filter: step.inWords, into: found)))
    case .slice: FerryError(.path(.noStep(step.inWords, into: "\(found); write [*] for every value")))
    default: FerryError(.path(.noStep(step.inWords, into: found)))
    }
  }

  /// Returns the error for a key in a list, or in a value without keys. In other notations of paths, `-` is after the last element and `*` is
  /// every element. A key of the elements is named for all of them, because the elements may not have been read.
  func noKeys(_ key: String, in parts: NodeParts, at location: ValueLocation) throws(FerryError) -> FerryError
  {
    let hint =
      switch key {
      case "-" where parts.isList: "; write [] for the position after the last"
      case "*" where parts.isList: "; write [*] for every element"
      case _ where parts.isList && parts.count > 0:
        "; write \(ValuePath([.slice(from: nil, to: nil), .key(key)])) for every element"
      default: ""
      }
    return FerryError(.path(.noStep(ValuePath.Step.key(key).inWords, into: try name(of: location) + hint)))
  }

  private func noKey(_ key: String, in parts: NodeParts, of target: ValueLocation) throws(FerryError)
    -> FerryError
  {
    guard listsKeys else { return FerryError(.path(.noKey(key, among: [], count: 0))) }
    // The error lists the parts of the decoded form, because a user would type those.
    if case .record(let parts)? = try decodedForm(at: target) {
      return Self.noKey(key, among: parts.map(\.name), count: parts.count)
    }
    var (names, count) = ([String](), 0)
    for index in 0..<parts.count {
      guard let node = try parts.key(index, in: nodes) else { continue }
      if case .entries(_, _, isObject: true) = parts, try nodes.isString(node, "$class") { continue }
      // Keys that the error does not list are read only to suggest a similar key, which is a short string. The
      // text of a key that is an object may be as large as the file.
      count += 1
      if names.count >= Self.listedKeys, try !isShortString(node) { continue }
      if let name = try text(ofKey: node) { names.append(name) }
    }
    return Self.noKey(key, among: names, count: count)
  }

  /// The maximum number of existing keys in an error.
  private static let listedKeys = 8

  /// Returns the error for a missing key, with the first existing names. The name nearest to the key replaces
  /// the first name unless it is already listed.
  private static func noKey(_ key: String, among names: [String], count: Int) -> FerryError {
    var listed = Array(names.prefix(listedKeys))
    if let near = NearMiss.nearest(to: key, among: names), !listed.contains(exactly: near) {
      listed[0] = near
    }
    return FerryError(.path(.noKey(key, among: listed, count: count)))
  }

  /// Returns true if a key is a string short enough for `NearMiss` to compare.
  private func isShortString(_ node: NodeID) throws(FerryError) -> Bool {
    let target = try target(of: node)
    guard try nodes.kind(of: target) == .string else { return false }
    return try nodes.length(of: target) <= NearMiss.longestInBytes
  }

  /// Returns the kind of the value at a location for a message.
  func name(of location: ValueLocation) throws(FerryError) -> String {
    if !location.inner.isEmpty { return try decodedForm(at: location)?.name(in: nodes) ?? "nothing" }
    let parts = try parts(of: location)
    if parts.isList { return try listName(of: location, count: parts.count) }
    let target = try target(of: location)
    if let type = try type(of: target) { return "an object of the class \(MessageText.name(type.name))" }
    let kind = try nodes.kind(of: target.node)
    guard let archive, case .uid(let uid) = kind else { return kind.name }
    guard uid != 0 else { return "null" }
    guard uid < UInt64(archive.count) else { return "a reference to object \(uid), which does not exist" }
    guard case .uid(let number) = try nodes.kind(of: location.node), target.node != location.node else {
      return "a reference to object \(uid)"
    }
    throw archive.isReference(number, target.node)
  }

  private func listName(of location: ValueLocation, count: Int) throws(FerryError) -> String {
    let target = try target(of: location)
    let isSet: Bool
    if let type = try type(of: target) {
      isSet = ArchivedCollection.Kind(of: type) == .set
    } else {
      isSet = if case .set = try nodes.kind(of: target.node) { true } else { false }
    }
    let noun = isSet ? "a set" : "an array"
    guard count > 0 else { return "\(noun) without elements" }
    return "\(noun) of \(count) (use [0]\(count > 1 ? " to [\(count - 1)]" : ""))"
  }
}

extension PropertyListNodes {
  /// Returns true if a node is a string that a key in a path means.
  func isText(_ node: NodeID, _ text: String) throws(FerryError) -> Bool {
    guard try kind(of: node) == .string, try mayHave(text.utf8.count, node) else { return false }
    return try withText(of: node) { found throws(FerryError) in found.hasPathText(text.utf8.span) }
  }

  /// Returns true if a string may have this number of bytes in UTF-8. Checks only the length: each code unit
  /// of UTF-8 or UTF-16 becomes one to three bytes, and an unpaired surrogate an escape of six.
  private func mayHave(_ byteCount: Int, _ node: NodeID) throws(FerryError) -> Bool {
    let units = try length(of: node)
    return units <= byteCount && byteCount / 6 <= units
  }
}
