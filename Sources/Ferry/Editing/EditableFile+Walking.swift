// The walk along the steps of a path, and its errors.

extension EditableFile {
  /// The result of following steps.
  struct Walk {
    var location: ValueLocation
    /// The remaining steps: none, those from the first slice on, or those inside a file in the data at this
    /// location.
    var rest: ArraySlice<ValuePath.Step>
    var path: ValuePath
    var isInData = false
    /// The locations on the path, outermost first.
    var passed: [ValueLocation] = []

    /// True if no steps remain, and the location is that of a value of this file.
    var isComplete: Bool { rest.isEmpty && !isInData }
    /// True if that value is a node, and not a part of the decoded form of an object.
    var endsAtNode: Bool { isComplete && location.inner.isEmpty }
  }

  /// Follows steps to the end, or to the first step that may match several elements. With `isReading`, these
  /// steps include `[key=value]` and `[]`.
  ///
  /// - Parameter last: The step that follows the others in the path, for the errors of these; nil if there is none.
  func walk(
    _ steps: ArraySlice<ValuePath.Step>, before last: ValuePath.Step? = nil, from location: ValueLocation,
    after path: ValuePath, isReading: Bool
  ) throws(FerryError) -> Walk {
    let walker = walker
    var walk = Walk(location: location, rest: steps, path: path)
    while let step = walk.rest.first {
      do throws(FerryError) {
        if step.isSlice || (isReading && step.selects) {
          walk.isInData = try walker.dataLocation(of: walk.location) != nil
          return walk
        }
        guard let next = try walker.step(step, from: walk.location) else {
          walk.isInData = true
          return walk
        }
        walk.passed.append(walk.location)
        walk.location = next
      } catch {
        throw explaining(error, at: walk, before: last).placed(path: walk.path)
      }
      walk.path.steps.append(step)
      walk.rest.removeFirst()
    }
    return walk
  }

  /// Returns the part of a path that is inside this file.
  func pathInside(_ path: ValuePath) -> ValuePath {
    ValuePath(Array(path.steps.dropFirst(outerPath.steps.count)))
  }

  /// Follows a path to one value.
  func walk(to path: ValuePath) throws(FerryError) -> Walk {
    let start = try walker.start(path.steps[...])
    return try walk(
      path.steps.dropFirst(start.taken), from: start.location,
      after: outerPath.appending(path.steps.prefix(start.taken)), isReading: false)
  }

  /// Returns the error of a step with its reason: `#content` is only for reading, a key with points needs quotation marks, and the values
  /// that a document in the typed form describes have other paths in its text.
  func explaining(
    _ error: FerryError, at walk: Walk, before last: ValuePath.Step? = nil
  ) -> FerryError {
    if let named = namingPathInText(error, at: walk, before: last) { return named }
    guard case .path(.noKey(let key, _, _)) = error.reason else { return error }
    if format.isOfElements, walk.rest.first == .key("#content") {
      return FerryError(.path(.notEditable(format: "\"#content\"", .keysOfElements)))
    }
    guard let whole = keyWithPoints(at: walk, before: last) else { return error }
    return FerryError(.path(.dividedKey(key, of: whole)))
  }

  /// Returns the error of the first step of a path to a value that a document in the typed form describes, such as the path of a conflict of
  /// `merge`, with the path in its text. Returns nil for other errors.
  private func namingPathInText(
    _ error: FerryError, at walk: Walk, before last: ValuePath.Step?
  ) -> FerryError? {
    switch error.reason {
    case .path(.noKey), .path(.noElement), .path(.noStep): break
    default: return nil
    }
    guard format.typedSyntax != nil, !format.isOfElements, walk.path.steps.count == outerPath.steps.count,
      let first = walk.rest.first, let parts = try? walker.parts(of: walk.location),
      (try? walker.child("$ferry", of: walk.location, parts)) != nil
    else { return nil }
    let steps = Array(walk.rest) + (last.map { [$0] } ?? [])
    let prefix = Self.pathsOfDescribedValues.first { prefix in
      var location = walk.location
      for step in prefix + steps.prefix(while: { !$0.isSlice && !$0.selects }) {
        guard let next = try? walker.step(step, from: location) else { return false }
        location = next
      }
      return true
    }
    guard let prefix else { return nil }
    let found = "a document in the typed form (write \(ValuePath(prefix + steps)))"
    return FerryError(.path(.noStep(first.inWords, into: found)))
  }

  /// The paths of the root object of an archive, and of the value of a property list, in a document in the typed form.
  private static let pathsOfDescribedValues: [[ValuePath.Step]] = [
    [.key("$top"), .key("root")], [.key("$value")],
  ]

  /// Returns an existing key with points, such as the name of a file, whose parts are the next steps of a path: `a.json`. Nil if there is no
  /// such key.
  private func keyWithPoints(at walk: Walk, before last: ValuePath.Step?) -> String? {
    guard let parts = try? walker.parts(of: walk.location) else { return nil }
    var whole: String?
    for step in (walk.rest + (last.map { [$0] } ?? [])).prefix(Self.mostPoints + 1) {
      guard case .key(let key) = step else { return nil }
      let longer = whole.map { "\($0).\(key)" }
      if let longer, (try? walker.child(longer, of: walk.location, parts)) != nil { return longer }
      whole = longer ?? key
    }
    return nil
  }

  /// The maximum number of points in a key that an error suggests.
  private static let mostPoints = 8
}

extension ValuePath.Step {
  /// True for `[*]` and `[1:3]`.
  fileprivate var isSlice: Bool { if case .slice = self { true } else { false } }

  /// True for `[key=value]` and `[]`, which may match several elements when reading, but one when changing.
  fileprivate var selects: Bool {
    switch self {
    case .filter, .end: true
    default: false
    }
  }
}
