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
    _ place: PathPlace, into sink: any ValueSink, _ sharing: ObjectSharing = .leavesInFull
  ) throws(Failure) {
    guard let archive else { return try list.replay(place.node, into: sink, budget: options.budget) }
    let reader = ArchiveReader(
      archive, into: sink, sharing: sharing, budget: options.budget, catalogue: options.catalogue,
      meanings: sharing == .identities ? .scalars : options.meanings)
    guard !place.inner.isEmpty else { return try reader.read(from: place.node) }
    guard let part = try walker.meaning(at: place) else { return }
    try reader.read(part, of: place.node)
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
    let node = try walker.target(of: walk.place).node
    let isCollection = try list.kind(of: node).isCollection
    guard isCollection, parts.isList || (from == nil && to == nil) else {
      let step = "\(ValuePath(Array(walk.rest.prefix(1))))"
      throw Failure(.path(.noStep(step, into: try walker.name(of: walk.place))), path: walk.path)
    }
    let first = matches.count
    var missing: Failure?
    for index in PathWalker.range(from: from, to: to, count: parts.count) {
      if let key = try parts.key(index, in: list), try list.isString(key, "$class"), archive != nil {
        continue
      }
      let step = ValuePath.Step.index(index)
      do throws(Failure) {
        try collect(
          walk.rest.dropFirst(), from: try walker.real(parts.place(index, in: list)),
          after: walk.path.appending(step), into: &matches)
      } catch {
        // Of several elements those count that have what the path asks for.
        guard error.isMissingPlace else { throw error }
        if missing == nil { missing = error }
      }
    }
    if matches.count == first, let missing { throw missing }
  }

  /// How far steps were followed.
  struct Walk {
    var place: PathPlace
    /// The steps that are left: none, those from a slice on, or those inside a file that the data here holds.
    var rest: ArraySlice<ValuePath.Step>
    var path: ValuePath
    var isInData = false
  }

  func walk(
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
  func nested(at place: PathPlace, after path: ValuePath) throws(Failure) -> EditableFile {
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
