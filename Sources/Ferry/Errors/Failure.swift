/// Why something could not be read, converted or written: what was wrong, and where.
///
/// A caller asks a failure, it does not search its text: `reason` says exactly what happened and may be switched over;
/// the words of `description` may improve in any release.
///
///     people.json:2:9: expected a value, found “,”
public struct Failure: Error, Hashable, Sendable {
  /// What was wrong.
  public var reason: Reason
  /// Where in the input; empty when the failure has no place in a file.
  public var position: Position
  /// Where in the value, from its root; empty at the root or when no value is known.
  public var path: ValuePath

  /// A failure with its place, as far as it is known where it is thrown.
  public init(_ reason: Reason, at position: Position = Position(), path: ValuePath = ValuePath()) {
    self.reason = reason
    self.position = position
    self.path = path
  }

  /// The same failure with a place, unless it has one already.
  public func placed(at position: Position) -> Failure {
    guard self.position.isEmpty else { return self }
    var placed = self
    placed.position = position
    return placed
  }

  /// The same failure with a path, unless it has one already.
  public func placed(path: ValuePath) -> Failure {
    guard self.path.isEmpty else { return self }
    var placed = self
    placed.path = path
    return placed
  }
}

extension Failure {
  /// What was wrong, one case a subject.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONProblem)
    /// The text is not well-formed XML, or is XML that Ferry refuses.
    case xml(XMLProblem)
    /// The bytes are not a property list.
    case propertyList(PropertyListProblem)
    /// The property list is not a keyed archive that can be understood.
    case archive(ArchiveProblem)
    /// A value in the typed form is not what it should be.
    case typed(TypedProblem)
    /// The bytes are not a typedstream that can be understood.
    case typedstream(TypedstreamProblem)
    /// An archived object does not become a value of the type that was asked for, or the other way round.
    case coding(CodingProblem)
    /// A record, or a schema, is not what it should be.
    case record(RecordProblem)
    /// A database cannot be read, or cannot hold a record.
    case database(DatabaseProblem)
    /// A path leads nowhere, or nothing can be done where it leads.
    case path(PathProblem)
    /// The target's format has no way to hold a value.
    case cannotHold(ValueProblem)
    /// A limit of the budget was met.
    case overBudget(Budget.Limit)
    /// Something would be lost, where that is not allowed.
    case loss(Loss.Kind)
    /// A text or a picture is not what it should be.
    case content(ContentProblem)
    /// A package is not what it should be, or has been changed by another program.
    case package(PackageProblem)
    /// A file could not be read or written, or is of no known kind.
    case file(FileProblem)
    /// A document could not be opened or saved as it is.
    case document(DocumentProblem)
  }
}

extension Failure: CustomStringConvertible {
  /// The place as editors understand it, then the message: `3:14: …`, `byte 1204, object 17: …`.
  public var description: String {
    let place = position.isEmpty ? "" : "\(position): "
    return place + message
  }

  /// What was wrong and, when it is known, at which path of the value.
  public var message: String {
    path.isEmpty ? reason.description : "\(reason.description) (at \(path))"
  }
}

extension Failure.Reason: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .json(let problem): problem.description
    case .xml(let problem): problem.description
    case .propertyList(let problem): problem.description
    case .archive(let problem): problem.description
    case .typed(let problem): problem.description
    case .typedstream(let problem): problem.description
    case .coding(let problem): problem.description
    case .record(let problem): problem.description
    case .database(let problem): problem.description
    case .path(let problem): problem.description
    case .cannotHold(let problem): problem.description
    case .overBudget(let limit): limit.description
    case .loss(let kind): "not exact: \(kind.rawValue) (--strict refuses what is not exact)"
    case .content(let problem): problem.description
    case .package(let problem): problem.description
    case .file(let problem): problem.description
    case .document(let problem): problem.description
    }
  }
}
