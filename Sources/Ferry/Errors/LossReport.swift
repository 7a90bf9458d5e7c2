/// A collector for the losses in all steps of a conversion.
public final class LossReport {
  private var own = Losses()
  private let limit: Int
  /// The report that gets all losses in place of this one, with the changed paths; nil for a report of its own.
  private let target: (report: LossReport, pathInTarget: (ValuePath) -> ValuePath)?
  /// False if the losses are those in a file inside the input, whose source locations are not those of the input.
  private let keepsLocations: Bool
  /// Returns true for the losses that the other report gets; nil if it gets all.
  private let isKept: ((Loss) -> Bool)?
  /// Returns true for the kinds of losses that are listed up to `limit`.
  private let lists: (Loss.Kind) -> Bool
  /// The number of listed losses after which the other kinds are only counted.
  private let limitOfOthers: Int
  /// Returns true for a loss of a listed kind that is found beyond the list, too; nil to find none.
  private let isSought: ((Loss) -> Bool)?
  /// The first loss that is sought and not listed.
  private var unlisted: Loss?

  /// Creates an empty report that lists at most `limit` losses.
  public convenience init(limit: Int = 10_000) { self.init(limit: limit) { _ in true } }

  /// Creates an empty report that lists the losses of some kinds, so that others do not fill the list.
  ///
  /// - Parameters:
  ///   - limitOfOthers: The number of listed losses up to which losses of other kinds are listed, too.
  ///   - isSought: Returns true for the losses that `firstSought` is the first of. They are of kinds that are listed.
  init(
    limit: Int = 10_000, limitOfOthers: Int = 0, seeking isSought: ((Loss) -> Bool)? = nil,
    listing lists: @escaping (Loss.Kind) -> Bool
  ) {
    (self.limit, self.limitOfOthers, self.lists, target) = (limit, limitOfOthers, lists, nil)
    (self.isSought, isKept, keepsLocations) = (isSought, nil, true)
  }

  /// Creates a report that adds its losses to another one, with their paths changed by a function.
  ///
  /// - Parameter keepsLocations: Pass false for the losses in a file inside the input.
  init(to report: LossReport, keepsLocations: Bool = true, path: @escaping (ValuePath) -> ValuePath) {
    self.keepsLocations = keepsLocations
    (limit, limitOfOthers, lists) = (report.limit, report.limitOfOthers, report.lists)
    target = (report, path)
    (isSought, isKept) = (nil, nil)
  }

  /// Creates a report for the file in the value at a path, which adds its losses to the report for the value around it.
  convenience init(to report: LossReport, inside path: ValuePath) {
    self.init(to: report, keepsLocations: false) { path.appending($0.steps[...]) }
  }

  /// Creates a report that adds those of its losses to another one for which a function returns true.
  init(forwardingTo report: LossReport, keeping isKept: @escaping (Loss) -> Bool) {
    (limit, limitOfOthers, lists) = (report.limit, report.limitOfOthers, report.lists)
    target = (report, { $0 })
    (isSought, self.isKept, keepsLocations) = (nil, isKept, true)
  }

  /// The losses so far, as a value.
  public var all: Losses { target?.report.all ?? own }

  /// The first loss that is sought, also if the list has no room for it; nil if there is none.
  var firstSought: Loss? { isSought.flatMap { own.listed.first(where: $0) } ?? unlisted }

  /// Keeps a loss that is sought if the list may have no room for it.
  private func keepSought(_ loss: @autoclosure () -> Loss) {
    guard unlisted == nil, let isSought, isListFull else { return }
    let loss = loss()
    if isSought(loss) { unlisted = loss }
  }

  /// Returns the path that a loss with a path gets.
  func placed(_ path: ValuePath) -> ValuePath { target?.pathInTarget(path) ?? path }

  /// The number of losses of each kind, in the order of first occurrence.
  public var counts: [Losses.Count] { all.counts }
  /// The first losses with their paths.
  public var losses: [Loss] { all.listed }
  /// The number of losses in `losses`.
  var listedCount: Int { all.listed.count }
  /// True if nothing was lost.
  public var isEmpty: Bool { all.isEmpty }
  /// True if no element matches a selection.
  var hasEmptySelection: Bool { all.hasEmptySelection }
  /// True if no more losses are listed, only counted.
  var isListFull: Bool { all.isListFull(limit: limit) }

  /// True if the next loss may be listed, so that its source location is of use.
  var usesLocations: Bool {
    guard keepsLocations else { return false }
    return target?.report.usesLocations ?? !own.isListFull(limit: limit)
  }

  /// False if paths are not needed any more, because losses are only counted.
  var usesPaths: Bool { target != nil || isSought != nil || !own.isListFull(limit: limit) }

  /// Adds the losses of another report. A count stays at `Int.max` if it would become larger.
  public func add(_ losses: Losses) {
    add(losses) { $0 }
  }

  /// Adds the losses in a file inside the value. `steps`, the path of the part, is added to their paths.
  func add(_ losses: Losses, under steps: [ValuePath.Step]) {
    add(losses.withoutLocations()) { ValuePath(steps + $0.steps) }
  }

  /// Adds the losses of another report, with their paths changed by a function.
  func add(_ losses: Losses, path: (ValuePath) -> ValuePath) {
    if let target {
      var kept = keepsLocations ? losses : losses.withoutLocations()
      if let isKept { kept = losses.keeping { isKept(Loss($0.kind, path: path($0.path))) } }
      return target.report.add(kept) { target.pathInTarget(path($0)) }
    }
    own.add(losses, limit: limit, path: path)
    for loss in losses.listed where lists(loss.kind) { keepSought(Loss(loss.kind, path: path(loss.path))) }
  }

  /// Changes the source locations of the listed losses from an index on.
  func changeLocations(from start: Int = 0, _ change: (inout Loss) -> Void) {
    own.changeLocations(from: start, change)
  }

  /// Removes and returns the losses so far.
  func take() -> Losses {
    defer { own = Losses() }
    return own
  }

  /// Adds a step to the beginning of the paths of the listed losses from an index on.
  func prefix(_ step: @autoclosure () -> ValuePath.Step, from start: Int) {
    if own.listed.count > start { own.prefix(step(), from: start) }
  }

  /// Adds a loss. The path and the source location are computed only if the loss is listed.
  public func add(
    _ kind: Loss.Kind, path: @autoclosure () -> ValuePath = ValuePath(),
    at location: @autoclosure () -> InputLocation = InputLocation()
  ) {
    if let target {
      let lossPath = path()
      guard isKept?(Loss(kind, path: lossPath)) ?? true else { return }
      return target.report.add(
        kind, path: target.pathInTarget(lossPath), at: keepsLocations ? location() : InputLocation())
    }
    let isListed = lists(kind)
    if isListed { keepSought(Loss(kind, path: path())) }
    own.add(kind, limit: isListed ? limit : limitOfOthers, path: path(), at: location())
  }

  /// Adds losses of one kind, and lists the first of them.
  func add(_ kind: Loss.Kind, count: Int, firstAt path: ValuePath) {
    if let target { return target.report.add(kind, count: count, firstAt: target.pathInTarget(path)) }
    let isListed = lists(kind)
    if isListed { keepSought(Loss(kind, path: path)) }
    own.add(kind, count: count, limit: isListed ? limit : limitOfOthers, path: path)
  }
}
