/// The losses of a conversion.
///
/// All losses are counted by kind. Only the first ones are listed with their paths, so that the list stays
/// small for any input.
public struct Losses: Hashable, Sendable {
  /// The number of losses of one kind.
  public struct Count: Hashable, Sendable {
    /// The kind of loss.
    public let kind: Loss.Kind
    /// The number of losses of this kind.
    public fileprivate(set) var count: Int
  }

  /// The number of losses of each kind, in the order of first occurrence.
  public fileprivate(set) var counts: [Count] = []
  /// The first losses with their paths.
  public fileprivate(set) var listed: [Loss] = []
  /// The total size of the paths in `listed` in bytes. A long key at the top would occur in many paths.
  private var pathBytes = 0
  private static let mostPathBytes = 8 << 20

  /// True if nothing was lost.
  public var isEmpty: Bool { counts.isEmpty }
  /// True if no element matches a selection.
  package var hasEmptySelection: Bool { counts.contains { $0.kind == .nothingSelected } }

  /// Adds a loss. The path and the source location are computed only if the loss is listed, which depends on `limit`.
  mutating func add(
    _ kind: Loss.Kind, count: Int = 1, limit: Int = 10_000, path: @autoclosure () -> ValuePath,
    at location: @autoclosure () -> InputLocation = InputLocation()
  ) {
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count = counts[index].count.addingClamped(count)
    } else {
      counts.append(Count(kind: kind, count: count))
    }
    list(Loss(kind, path: path(), at: location()), limit: limit)
  }

  /// True if no more losses are listed, only counted.
  func isListFull(limit: Int) -> Bool { listed.count >= limit || pathBytes >= Self.mostPathBytes }

  /// Lists a loss. The loss is created only if the list is below its limits.
  private mutating func list(_ loss: @autoclosure () -> Loss, limit: Int) {
    guard !isListFull(limit: limit) else { return }
    let loss = loss()
    pathBytes += loss.path.byteCount
    listed.append(loss)
  }

  /// Adds a step to the beginning of the paths of all losses from an index on.
  mutating func prefix(_ step: ValuePath.Step, from start: Int) {
    for index in listed.indices.dropFirst(start) {
      pathBytes -= listed[index].path.byteCount
      listed[index].path.steps.insert(step, at: 0)
      pathBytes += listed[index].path.byteCount
    }
  }

  /// Changes the source locations of the listed losses from an index on.
  mutating func changeLocations(from start: Int = 0, _ change: (inout Loss) -> Void) {
    for index in listed.indices.dropFirst(start) {
      var loss = listed[index]
      change(&loss)
      listed[index].location = loss.location
    }
  }

  /// Returns the losses without their source locations, which are those in another file.
  func withoutLocations() -> Losses {
    var losses = self
    losses.changeLocations { $0.location = InputLocation() }
    return losses
  }

  /// Returns the losses of some kinds.
  func filtered(_ isKept: (Loss.Kind) -> Bool) -> Losses {
    var kept = Losses()
    kept.counts = counts.filter { isKept($0.kind) }
    for loss in listed where isKept(loss.kind) { kept.list(loss, limit: .max) }
    return kept
  }

  /// Returns the losses without the listed ones for which a function returns false. Losses that are only counted stay.
  func keeping(_ isKept: (Loss) -> Bool) -> Losses {
    var kept = self
    (kept.listed, kept.pathBytes) = ([], 0)
    for loss in listed {
      if isKept(loss) {
        kept.list(loss, limit: .max)
      } else if let index = kept.counts.firstIndex(where: { $0.kind == loss.kind }) {
        kept.counts[index].count -= 1
      }
    }
    kept.counts.removeAll { $0.count == 0 }
    return kept
  }

  /// Returns the losses after others; nil if they do not begin with those. Losses that are only counted may be any of their kind.
  func dropping(_ first: Losses) -> Losses? {
    guard !first.isEmpty else { return self }
    guard listed.isEmpty || listed.starts(with: first.listed) else { return nil }
    var rest = self
    for count in first.counts {
      guard let index = rest.counts.firstIndex(where: { $0.kind == count.kind }),
        rest.counts[index].count >= count.count
      else { return nil }
      rest.counts[index].count -= count.count
    }
    rest.counts.removeAll { $0.count == 0 }
    (rest.listed, rest.pathBytes) = ([], 0)
    for loss in listed.dropFirst(first.listed.count) { rest.list(loss, limit: .max) }
    return rest
  }

  /// Adds other losses, with their paths changed by a function.
  mutating func add(
    _ others: Losses, limit: Int = 10_000, path: (ValuePath) -> ValuePath = { $0 }
  ) {
    for other in others.counts {
      if let index = counts.firstIndex(where: { $0.kind == other.kind }) {
        counts[index].count = counts[index].count.addingClamped(other.count)
      } else {
        counts.append(other)
      }
    }
    for loss in others.listed {
      list(Loss(loss.kind, path: path(loss.path), at: loss.location), limit: limit)
    }
  }
}

extension Losses: CustomStringConvertible {
  /// The kinds of losses with their numbers: `dates become text (3), comments are left out (1)`; or `nothing is lost`.
  public var description: String {
    isEmpty ? "nothing is lost" : counts.map { "\($0.kind.message) (\($0.count))" }.joined(separator: ", ")
  }
}
