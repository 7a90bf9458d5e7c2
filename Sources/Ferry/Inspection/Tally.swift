internal import OrderedCollections

/// How often each of several things occurs. Only so many different ones are kept, so that a tally of what is in a file
/// stays small whatever the file.
///
///     var classes = Tally<String>()
///     classes.add("Person")
///     classes["Person"]       // 1
public struct Tally<Subject: Hashable & Sendable>: Sendable {
  private var counts: OrderedDictionary<Key, Int> = [:]
  private let limit: Int
  /// Occurrences of things that are not kept, because there are too many different ones.
  public private(set) var others = 0

  /// A thing, which is compared by its bytes if it is text.
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

  /// Nothing yet; at most `limit` different things will be kept.
  public init(limit: Int = 1 << 16) { self.limit = limit }

  /// How often something occurs.
  public subscript(subject: Subject) -> Int { counts[Key(subject: subject)] ?? 0 }

  /// Whether nothing occurs.
  public var isEmpty: Bool { counts.isEmpty }
  /// How many different things are kept.
  public var count: Int { counts.count }
  /// All occurrences.
  public var total: Int { counts.values.reduce(others, +) }

  /// The things in the order they were met, each with its count.
  public var entries: [(subject: Subject, count: Int)] {
    counts.map { (subject: $0.key.subject, count: $0.value) }
  }

  /// The things, the most frequent first.
  public var mostFrequent: [(subject: Subject, count: Int)] {
    // Equal counts keep their order: the sort is stable.
    entries.sorted { $0.count > $1.count }
  }

  /// Counts occurrences of something.
  public mutating func add(_ subject: Subject, count: Int = 1) {
    let subject = Key(subject: subject)
    if let known = counts.index(forKey: subject) {
      counts.values[known] += count
    } else if counts.count < limit {
      counts[subject] = count
    } else {
      others += count
    }
  }

  /// Counts all that another tally has counted.
  public mutating func add(_ other: Tally) {
    for (subject, count) in other.counts { add(subject.subject, count: count) }
    others += other.others
  }
}
