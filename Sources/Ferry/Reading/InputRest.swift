/// The start of the part of an input that one thread reads, after several threads have read the records before.
struct InputRest: Sendable {
  let locations: MovedLocations
  /// The number of records before.
  let recordCount: Int
  /// The names and paths in the elements before; nil if they are not needed, and empty for other inputs than XML.
  var names: XMLNamesBefore?

  /// Returns an error in the rest as one in the whole input.
  func moved(_ error: FerryError) -> FerryError {
    var error = error
    (error.location, error.path) = (locations.moved(error.location), moved(error.path))
    return error
  }

  /// Returns a path in the rest as one in the whole input.
  func moved(_ path: ValuePath) -> ValuePath { path.movingIndex(by: recordCount) }

  /// Returns losses in the rest as those in the whole input.
  func moved(_ losses: Losses) -> Losses {
    var moved = Losses()
    moved.add(losses, limit: .max) { self.moved($0) }
    moved.changeLocations { $0.location = locations.moved($0.location) }
    return moved
  }

  /// Returns the report for the reader of the rest. An XPath that selects nothing in it has selected something before.
  func lossesOfReader(_ losses: LossReport) -> LossReport {
    recordCount > 0 ? losses.withoutEmptySelection : losses
  }
}

extension LossReport {
  /// A report that forwards all losses but that of an XPath that selects nothing, because other parts of the input have selected elements, or may.
  var withoutEmptySelection: LossReport {
    LossReport(forwardingTo: self) { $0.kind != .nothingSelected }
  }
}

extension ValuePath {
  /// Returns the path with a number added to its first step if that is an index.
  func movingIndex(by count: Int) -> ValuePath {
    guard case .index(let index)? = steps.first else { return self }
    return ValuePath([.index(index + count)] + steps.dropFirst())
  }
}
