/// A file whose values are read and changed one by one, by their paths; everything else in it stays as it is.
///
///     let file = try EditableFile(path: "state.archive")
///     try file.value(at: ValuePath(parsing: "people[0].name"))            // .string("Ada")
///     try file.set(.string("Grace"), at: ValuePath(parsing: "people[0].name"))
///     try file.write(to: "state.archive")
///
/// Keyed archives and binary property lists are opened where they lie: only what leads to a value is looked at. An
/// archive is seen by meaning: an NSArray has elements, a Person its fields. What was not changed keeps its number, order
/// and bytes. XML property lists, archives in XML and JSON keep their text but for the value that changes. XML documents
/// and JSON Lines are read (as `convert --to json` shows them) and not changed.
///
/// A path goes on into data that holds such a file itself, and what is changed in there is written back in its format.
public final class EditableFile {
  /// How a file is to be taken.
  public struct Options: Sendable {
    /// The format, where the content does not tell.
    public var format: Format?
    /// `raw` sees an archive as the property list that it is stored as.
    public var form = Form.plain
    /// Whether a reference to an object that is not there is null, and kept, instead of a failure.
    public var isLenient = false
    public var budget = Budget()

    /// A file taken as it is.
    public init() {}
  }

  /// The format of the file.
  public let format: Format
  /// References to objects that are not there, as far as a lenient file has met them.
  public var danglingReferences: [Failure] { archive?.dangling ?? [] }

  private let source: FileBytes
  let list: EditedPropertyList
  private let options: Options
  /// How many files this one is inside of.
  private let nesting: Int
  private static let nestingLimit = 16
  private(set) var archive: ArchiveObjects?
  private var archiveEditor: ArchiveEditor?
  private var layout: BinaryLayout?

  /// Opens a file; `-` is the standard input.
  ///
  /// - Throws: what the system says, or what is wrong with the content.
  public convenience init(path: String, options: Options = Options()) throws(Failure) {
    try self.init(FileBytes(reading: path), named: path, options: options, nesting: 0)
  }

  /// Opens a file's bytes.
  ///
  /// - Throws: what is wrong with the content.
  public convenience init(_ bytes: [UInt8], named name: String? = nil, options: Options = Options())
    throws(Failure)
  {
    try self.init(FileBytes(bytes), named: name, options: options, nesting: 0)
  }

  private init(_ source: FileBytes, named name: String?, options: Options, nesting: Int) throws(Failure) {
    self.source = source
    self.options = options
    self.nesting = nesting
    let head = source.prefix(FormatDetector.headSize)
    let found: Format
    if let format = options.format {
      found = format
    } else {
      found = try FormatDetector(head: head, name: name).detect()
    }
    let base = try Self.nodes(of: source, found, named: name, options)
    list = EditedPropertyList(base)
    var isArchive = found.isArchive
    if options.format == nil, try ArchiveObjects.isArchive(base) { isArchive = true }
    switch found {
    case .binaryPropertyList, .archive: format = isArchive ? .archive : .binaryPropertyList
    case .xmlPropertyList, .xmlArchive: format = isArchive ? .xmlArchive : .xmlPropertyList
    default: format = found
    }
    if format.isArchive, options.form == .plain { try openArchive() }
  }

  private static func nodes(
    of source: FileBytes, _ format: Format, named name: String?, _ options: Options
  ) throws(Failure) -> any PropertyListNodes {
    let budget = options.budget
    switch format {
    case .binaryPropertyList, .archive: return try BinaryPropertyList(source, budget: budget)
    case .xmlPropertyList, .xmlArchive:
      let tree = PropertyListTree(for: "an XML property list")
      try XMLPropertyListReader(into: tree, budget: budget).readAll(source.span)
      try tree.finish()
      return tree
    case .json:
      let tree = PropertyListTree(for: "JSON")
      try JSONReader(into: tree, budget: budget).readAll(source.span)
      try tree.finish()
      return tree
    case .xml, .jsonLines, .typedstream:
      var conversion = Conversion(to: .json)
      conversion.source = format
      conversion.budget = budget
      let json = try conversion.convert(source.copy, named: name).bytes
      return try nodes(of: FileBytes(json), .json, named: nil, options)
    }
  }

  private func openArchive() throws(Failure) {
    let archive = try ArchiveObjects(list)
    archive.isLenient = options.isLenient
    self.archive = archive
  }

  private var walker: PathWalker {
    let isBinary = format == .archive || format == .binaryPropertyList
    return PathWalker(nodes: list, archive: archive, lastKeyWins: !isBinary)
  }

  /// Whether values can be changed.
  public var isEditable: Bool { format != .xml && format != .jsonLines }
}

// MARK: Reading

extension EditableFile {
  /// A place that a path leads to, in this file or in one inside it.
  struct Match {
    let file: EditableFile
    let place: PathPlace
  }

  /// The value that a path leads to; with a slice, an array of those that it leads to.
  ///
  /// - Throws: `PathProblem` with the part of the path that was found, or what is wrong with the file on the way.
  public func value(at path: ValuePath) throws(Failure) -> Value {
    let builder = ValueBuilder()
    try send(path, into: builder)
    return try builder.result()
  }

  /// Sends the value that a path leads to; with a slice, an array of those that it leads to. Does not finish the sink.
  ///
  /// - Throws: `PathProblem` with the part of the path that was found, or what is wrong with the file on the way.
  public func send(_ path: ValuePath, into sink: any ValueSink) throws(Failure) {
    let found = try matches(of: path)
    guard found.isSeveral else {
      for match in found.matches { try match.file.send(match.place, into: sink) }
      return
    }
    try sink.beginArray(count: found.matches.count)
    for match in found.matches { try match.file.send(match.place, into: sink) }
    try sink.endArray()
  }

  /// The values that a path leads to, one after the other: without a slice one.
  ///
  /// - Throws: `PathProblem` with the part of the path that was found, or what is wrong with the file on the way.
  public func forEachValue(at path: ValuePath, _ body: (Value) throws(Failure) -> Void) throws(Failure) {
    for match in try matches(of: path).matches {
      let builder = ValueBuilder()
      try match.file.send(match.place, into: builder)
      try body(try builder.result())
    }
  }

  private func send(
    _ place: PathPlace, into sink: any ValueSink, _ sharing: ArchiveReader.Sharing = .leavesInFull
  ) throws(Failure) {
    guard let archive else { return try list.replay(place.node, into: sink, budget: options.budget) }
    try ArchiveReader(archive, into: sink, sharing: sharing, budget: options.budget, meanings: .all)
      .read(from: place.node)
  }

  /// Writes the value that a path leads to in a conversion's target format; with a slice, an array of those.
  ///
  /// - Throws: `PathProblem`, what is wrong with the file on the way, and what the target cannot hold at all.
  /// - Returns: what the target does not hold.
  public func write(_ path: ValuePath, as conversion: Conversion, to output: any ByteOutput) throws(Failure)
    -> Losses
  {
    let found = try matches(of: path)
    let losses = LossReport()
    try conversion.write(to: output, losses: losses) { sink throws(Failure) in
      if found.isSeveral { try sink.beginArray(count: found.matches.count) }
      for match in found.matches {
        try match.file.send(
          match.place, into: sink, conversion.target.isArchive ? .identities : .leavesInFull)
      }
      if found.isSeveral { try sink.endArray() }
    }
    return losses.all
  }

  /// Writes the values that a path leads to as a person reads them, each on a line: a scalar as its text, a string without
  /// quotes, data in Base64; a collection as JSON.
  ///
  /// - Throws: `PathProblem`, and what is wrong with the file on the way.
  /// - Returns: what JSON does not hold.
  public func writeText(_ path: ValuePath, isPretty: Bool = false, to output: any ByteOutput) throws(Failure)
    -> Losses
  {
    let losses = LossReport()
    var json = Conversion(to: .json)
    json.isPretty = isPretty
    for match in try matches(of: path).matches {
      let (file, place) = (match.file, match.place)
      guard try file.walker.isScalar(place) else {
        try json.write(to: output, losses: losses) { sink throws(Failure) in try file.send(place, into: sink)
        }
        continue
      }
      let builder = ValueBuilder()
      try file.send(place, into: builder)
      let line = (try builder.result().plainText ?? "null") + "\n"
      try output.write(line.utf8.span)
    }
    return losses.all
  }

  /// The bytes of the data, or the UTF-8 of the string, that a path leads to.
  ///
  /// - Throws: `PathProblem` when something else stands there.
  public func contents(at path: ValuePath) throws(Failure) -> [UInt8] {
    switch try value(at: path).scalar {
    case .data(let bytes): return bytes
    case .string(let text): return Array(text.utf8)
    default: throw Failure(.path(.noStep("the path", into: "neither data nor a string")), path: path)
    }
  }

  private func matches(of path: ValuePath) throws(Failure) -> (matches: [Match], isSeveral: Bool) {
    var matches: [Match] = []
    let steps = path.steps[...]
    let start = try walker.start(steps)
    let taken = ValuePath(Array(steps.prefix(start.taken)))
    try collect(steps.dropFirst(start.taken), from: start.place, after: taken, into: &matches)
    let isSeveral = path.steps.contains { if case .slice = $0 { true } else { false } }
    return (matches, isSeveral)
  }

  /// Follows steps; at a slice, the rest of them from each of its elements. Slices are typed, so they are few.
  private func collect(
    _ steps: ArraySlice<ValuePath.Step>, from place: PathPlace, after path: ValuePath,
    into matches: inout [Match]
  ) throws(Failure) {
    let walk = try walk(steps, from: place, after: path)
    if walk.isInData {
      let inner = try nested(at: walk.place, after: walk.path)
      let start = try inner.walker.start(walk.rest)
      return try inner.collect(
        walk.rest.dropFirst(start.taken), from: start.place, after: walk.path, into: &matches)
    }
    guard case .slice(let from, let to)? = walk.rest.first else {
      guard matches.count < options.budget.amplificationFloor else {
        throw Failure(.overBudget(.amplification(options.budget.amplification)), path: path)
      }
      matches.append(Match(file: self, place: walk.place))
      return
    }
    let walker = walker
    let parts = try walker.parts(of: walk.place)
    let isCollection = try walker.nodes.kind(of: walker.target(of: walk.place).node).isCollection
    guard isCollection, parts.isList || (from == nil && to == nil) else {
      let step = "\(ValuePath(Array(walk.rest.prefix(1))))"
      throw Failure(.path(.noStep(step, into: try walker.name(of: walk.place))), path: walk.path)
    }
    for index in PathWalker.range(from: from, to: to, count: parts.count) {
      if let key = try parts.key(index, in: list), try list.isString(key, "$class"), archive != nil {
        continue
      }
      let step = ValuePath.Step.index(index)
      try collect(
        walk.rest.dropFirst(), from: try parts.place(index, in: list), after: walk.path.appending(step),
        into: &matches)
    }
  }

  /// How far steps were followed.
  private struct Walk {
    var place: PathPlace
    /// The steps that are left: none, those from a slice on, or those inside a file that the data here holds.
    var rest: ArraySlice<ValuePath.Step>
    var path: ValuePath
    var isInData = false
  }

  private func walk(
    _ steps: ArraySlice<ValuePath.Step>, from place: PathPlace, after path: ValuePath
  ) throws(Failure) -> Walk {
    let walker = walker
    var walk = Walk(place: place, rest: steps, path: path)
    while let step = walk.rest.first {
      do throws(Failure) {
        if case .slice = step {
          walk.isInData = try walker.dataPlace(of: walk.place) != nil
          return walk
        }
        guard let next = try walker.step(step, from: walk.place) else {
          walk.isInData = true
          return walk
        }
        walk.place = next
      } catch {
        throw error.placed(path: walk.path)
      }
      walk.path.steps.append(step)
      walk.rest.removeFirst()
    }
    return walk
  }

  /// The file that the data at a place holds.
  private func nested(at place: PathPlace, after path: ValuePath) throws(Failure) -> EditableFile {
    do throws(Failure) {
      guard nesting < Self.nestingLimit else { throw Failure(.path(.nestedTooDeep(Self.nestingLimit))) }
      guard let data = try walker.dataPlace(of: place) else { throw Failure(.path(.isRoot)) }
      let bytes = try list.withData(of: data.node) { bytes throws(Failure) in [UInt8](copying: bytes) }
      var options = options
      (options.format, options.form) = (nil, .plain)
      return try EditableFile(FileBytes(bytes), named: nil, options: options, nesting: nesting + 1)
    } catch {
      // A place inside the data would be taken for one of the file.
      throw Failure(error.reason, path: path)
    }
  }
}

// MARK: Changing

extension EditableFile {
  /// A value to be put somewhere.
  private enum NewValue {
    case value(Value)
    case text(String, ValueType?)
    /// What a file holds: text, or the bytes of data.
    case contents([UInt8], ValueType?)
  }

  private enum Change {
    case set(NewValue)
    case insert(NewValue)
    case remove
  }

  /// Puts a value where another stands.
  ///
  /// In an archive a reference stays a reference: to the same object, which becomes the value, or to another one when
  /// others refer to it. Inside an object of a class that is one scalar (NSDate, NSURL, NSUUID, NSMutableString …) the
  /// scalar is changed and the class stays. Objects and collections become objects of the archive.
  ///
  /// - Throws: `PathProblem` when the path leads to no place or to several; what the format cannot hold.
  public func set(_ value: Value, at path: ValuePath) throws(Failure) {
    try change(.set(.value(value)), path)
  }

  /// Puts the value that a text is where another stands: of the type that stands there, unless one is given.
  ///
  /// - Throws: also `PathProblem.badText` when the text is not of the type.
  public func set(text: String, as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.set(.text(text, type)), path)
  }

  /// Puts what a file holds where a value stands: its bytes where that is data, else the value that its text is, without a
  /// line end behind it.
  ///
  /// - Throws: what `set(text:as:at:)` throws.
  public func set(contents: [UInt8], as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.set(.contents(contents, type)), path)
  }

  /// Adds an element before the one that the path names, behind the last (`items[]`), or an entry with a new key.
  ///
  /// - Throws: `PathProblem.exists` for a key that is there, and what `set` throws.
  public func insert(_ value: Value, at path: ValuePath) throws(Failure) {
    try change(.insert(.value(value)), path)
  }

  /// Adds the value that a text is: of the type of the element before it, otherwise a string, unless a type is given.
  ///
  /// - Throws: what `set` and `insert` throw.
  public func insert(text: String, as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.insert(.text(text, type)), path)
  }

  /// Adds what a file holds: its bytes as data when that is the type, else the value that its text is.
  ///
  /// - Throws: what `insert(text:as:at:)` throws.
  public func insert(contents: [UInt8], as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.insert(.contents(contents, type)), path)
  }

  /// Removes an element or an entry.
  ///
  /// - Throws: `PathProblem` when the path leads to no place, to several, or to the root.
  public func remove(at path: ValuePath) throws(Failure) { try change(.remove, path) }

  private func change(_ change: Change, _ path: ValuePath) throws(Failure) {
    let start = try walker.start(path.steps[...])
    try apply(
      change, path.steps.dropFirst(start.taken), from: start.place,
      after: ValuePath(Array(path.steps.prefix(start.taken))))
  }

  private func apply(
    _ change: Change, _ steps: ArraySlice<ValuePath.Step>, from place: PathPlace, after path: ValuePath
  ) throws(Failure) {
    guard isEditable else { throw Failure(.path(.notEditable(format.rawValue))) }
    var last: ValuePath.Step?
    var walked = steps
    if case .set = change {
    } else {
      last = walked.popLast()
      guard last != nil else { throw noLastStep(change) }
    }
    var walk = try walk(walked, from: place, after: path)
    if let last {
      walk.rest.append(last)
      if !walk.isInData, walk.rest.count == 1 {
        walk.isInData = try walker.dataPlace(of: walk.place) != nil
      }
    }
    guard !walk.isInData else { return try changeData(change, walk) }
    if case .slice? = walk.rest.first { throw Failure(.path(.severalPlaces), path: walk.path) }
    do throws(Failure) {
      try perform(change, last, at: walk.place)
    } catch {
      throw error.placed(path: walk.path)
    }
    if archive != nil { try openArchive() }
  }

  private func noLastStep(_ change: Change) -> Failure {
    guard case .remove = change else {
      return Failure(
        .path(.noNewPlace("the path names no place for a new value (items[] is behind the last)")))
    }
    return Failure(.path(.isRoot))
  }

  private func perform(_ change: Change, _ last: ValuePath.Step?, at place: PathPlace) throws(Failure) {
    let editor = try editor()
    switch (change, last) {
    case (.set(let new), _): try editor.set(try value(new, at: place), at: place)
    case (.insert(let new), let last?):
      try editor.insert(try value(new, insertedAt: last, of: place), last, into: place)
    case (.remove, let last?): try editor.remove(last, from: place)
    default: break
    }
  }

  private func editor() throws(Failure) -> PropertyEditor {
    if archive != nil, archiveEditor == nil { archiveEditor = try ArchiveEditor(list) }
    return PropertyEditor(list: list, walker: walker, archive: archiveEditor)
  }

  /// Changes the file that the data at a place holds, and puts that back in its own format.
  private func changeData(_ change: Change, _ walk: Walk) throws(Failure) {
    let inner = try nested(at: walk.place, after: walk.path)
    let start = try inner.walker.start(walk.rest)
    try inner.apply(change, walk.rest.dropFirst(start.taken), from: start.place, after: walk.path)
    do throws(Failure) {
      try editor().set(.data(try inner.bytes()), at: walk.place)
    } catch {
      throw error.placed(path: walk.path)
    }
    if archive != nil { try openArchive() }
  }

  // MARK: The type of a text

  private func value(_ new: NewValue, at place: PathPlace) throws(Failure) -> Value {
    switch new {
    case .value(let value): return value
    case .text(let text, let type?): return try typed(text, type)
    case .text(let text, nil): return try value(of: text, like: place)
    case .contents(let bytes, .data): return .data(bytes)
    case .contents(let bytes, nil) where try walker.dataPlace(of: place) != nil: return .data(bytes)
    case .contents(let bytes, let type): return try value(.text(try Self.text(of: bytes), type), at: place)
    }
  }

  private func value(
    _ new: NewValue, insertedAt step: ValuePath.Step, of place: PathPlace
  ) throws(Failure) -> Value {
    let parts = try walker.parts(of: place)
    guard parts.isList, parts.count > 0 else {
      switch new {
      case .text(let text, nil): return .string(text)
      case .contents(let bytes, nil): return .string(try Self.text(of: bytes))
      default: return try value(new, at: place)
      }
    }
    var neighbor = parts.count - 1
    if case .index(let index) = step, index != parts.count {
      neighbor = max(0, try PathWalker.place(index, count: parts.count) - 1)
    }
    return try value(new, at: try parts.place(neighbor, in: list))
  }

  /// The text that a file holds, without a line end behind it.
  private static func text(of bytes: [UInt8]) throws(Failure) -> String {
    if case .invalid(let flaw) = bytes.span.checkUTF8() {
      throw Failure(
        .path(.badText("…", type: "UTF-8 (--type data takes any bytes)", isFound: false)),
        at: Position(byte: flaw))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
  }

  private func typed(_ text: String, _ type: ValueType) throws(Failure) -> Value {
    let value = try type.value(of: text)
    guard type == .json, format != .json else { return value }
    return try ObjectNotation { name throws(Failure) in try self.type(named: name) }.value(of: value)
  }

  private func type(named name: String) throws(Failure) -> ObjectClass? {
    try editor().archive?.type(named: name)
  }

  /// The value of a text, of the type that stands at a place.
  private func value(of text: String, like place: PathPlace) throws(Failure) -> Value {
    let target = try walker.target(of: place)
    let kind = try list.kind(of: target.node)
    var type = ValueType(of: kind)
    switch kind {
    case .null, .uid: type = .string
    case .integer, .real, .number:
      if format == .json { return try number(text) }
    case .dictionary:
      if let archive, let object = try walker.type(of: target),
        let scalar = try ScalarObjectPlace(object, target, in: archive)
      {
        return try value(of: text, like: scalar)
      }
    default: break
    }
    guard let type else {
      let why = "\(try walker.name(of: place)) stands here (--type json gives a whole value)"
      throw Failure(.path(.cannotStand("a text", why)))
    }
    do throws(Failure) {
      let value = try type.value(of: text)
      guard case (.single, .real(let real)) = (kind, value) else { return value }
      return .single(Float(real))
    } catch {
      throw Failure(.path(.badText(text, type: type.name, isFound: true)))
    }
  }

  /// The value of a text that an object of a scalar's class can be.
  private func value(of text: String, like scalar: ScalarObjectPlace) throws(Failure) -> Value {
    if let value = try? scalar.scalar.valueType.value(of: text),
      scalar.scalar.archived(value, as: try list.kind(of: scalar.place.node)) != nil
    {
      return value
    }
    throw Failure(.path(.badText(text, type: scalar.scalar.textName, isFound: true)))
  }

  /// A number of JSON, in its own notation.
  private func number(_ text: String) throws(Failure) -> Value {
    guard text.utf8.span.flawInJSONNumber == nil else {
      throw Failure(.path(.badText(text, type: "a number", isFound: true)))
    }
    return try Value(json: Array(text.utf8))
  }
}

// MARK: Writing

extension EditableFile {
  /// The file's bytes with all changes; without any, the bytes it was opened with.
  ///
  /// - Throws: what the format cannot hold.
  public func bytes() throws(Failure) -> [UInt8] {
    guard !list.isUnchanged else { return source.copy }
    if let file = list.base as? BinaryPropertyList { return try binaryBytes(of: file) }
    guard let tree = list.base as? PropertyListTree else { return source.copy }
    return try TextEdits(of: list, over: tree, source: source.copy, format: format).bytes()
  }

  /// Writes the file, in place of the one that is there: as a whole or not at all. Its mode is kept, and a symbolic link
  /// is followed.
  ///
  /// - Throws: what the system says, and what the format cannot hold. The file is then as it was.
  public func write(to path: String) throws(Failure) {
    let bytes = try bytes()
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try output.commit()
  }

  private func binaryBytes(of file: BinaryPropertyList) throws(Failure) -> [UInt8] {
    let layout: BinaryLayout
    if let known = self.layout { layout = known } else { layout = try BinaryLayout(of: file) }
    self.layout = layout
    list.sharedScalars = [:]
    var order = try ObjectOrder(of: list, layout: layout, sharing: .edited(from: list.firstNewNode))
    let shared = try order.sharedNewScalars()
    list.sharedScalars = shared
    defer { list.sharedScalars = [:] }
    let output = MemoryOutput()
    let final = try ObjectOrder(of: list, layout: layout, sharing: .edited(from: list.firstNewNode))
    try BinaryObjects.write(final, of: list, layout: layout, to: output)
    return output.bytes
  }
}
