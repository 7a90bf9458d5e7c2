internal import OrderedCollections

/// A counter of the occurrences of several subjects. It stores a limited number of distinct subjects, so that
/// it stays small for any file.
///
///     var classes = Tally<String>()
///     classes.add("Person")
///     classes["Person"]       // 1
public struct Tally<Subject: Hashable & Sendable>: Hashable, Sendable {
  private var counts: OrderedDictionary<Key, Int> = [:]
  private let limit: Int
  /// The number of occurrences of subjects that were not stored because of the limit.
  public private(set) var others = 0

  /// A subject. Text is compared by its bytes.
  private struct Key: Hashable, Sendable {
    let subject: Subject

    static func == (a: Key, b: Key) -> Bool {
      guard let a = a.subject as? String, let b = b.subject as? String else { return a.subject == b.subject }
      return a.equals(b)
    }

    func hash(into hasher: inout Hasher) {
      if let text = subject as? String { text.hashBytes(into: &hasher) } else { hasher.combine(subject) }
    }
  }

  /// Creates an empty tally that stores at most `limit` distinct subjects.
  public init(limit: Int = 1 << 16) { self.limit = limit }

  /// Returns the number of occurrences of a subject.
  public subscript(subject: Subject) -> Int { counts[Key(subject: subject)] ?? 0 }

  /// True if nothing was counted.
  public var isEmpty: Bool { counts.isEmpty }
  /// The number of distinct subjects that are stored.
  public var count: Int { counts.count }
  /// The number of occurrences of all subjects, including `others`.
  public var total: Int { counts.values.reduce(others) { $0.addingClamped($1) } }

  /// The subjects in the order of their first occurrence, with their counts.
  public var entries: [(subject: Subject, count: Int)] {
    counts.map { (subject: $0.key.subject, count: $0.value) }
  }

  /// The subjects with their counts, most frequent first.
  public var mostFrequent: [(subject: Subject, count: Int)] {
    // The sort is stable, so equal counts keep their order.
    entries.sorted { $0.count > $1.count }
  }

  /// Adds occurrences of a subject. A count stays at `Int.max` if it would become larger.
  public mutating func add(_ subject: Subject, count: Int = 1) {
    let subject = Key(subject: subject)
    if let known = counts.index(forKey: subject) {
      counts.values[known] = counts.values[known].addingClamped(count)
    } else if counts.count < limit {
      counts[subject] = count
    } else {
      others = others.addingClamped(count)
    }
  }

  /// Adds the counts of another tally.
  public mutating func add(_ other: Tally) {
    for (subject, count) in other.counts { add(subject.subject, count: count) }
    others = others.addingClamped(other.others)
  }
}
