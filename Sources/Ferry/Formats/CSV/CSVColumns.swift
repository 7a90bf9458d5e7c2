/// The columns of a table.
///
///     name,address.city,age,address.street
///
///     begin  0 name  begin address  1 city  3 street  end  2 age  end
struct CSVColumns {
  /// The name of a column, or one of its parts.
  struct Name {
    let bytes: [UInt8]
    let isASCII: Bool
    /// True if the name has no control characters, quotation marks or backslashes.
    let isPlain: Bool

    init(_ bytes: [UInt8]) {
      let span = bytes.span
      (self.bytes, isASCII, isPlain) = (bytes, span.isASCII, span.isPlainJSON)
    }

    var step: ValuePath.Step { .key(String(decoding: bytes, as: UTF8.self)) }
  }

  /// A step in sending a row as a dictionary.
  enum Step {
    case cell(Int, Name)
    case begin(Name)
    case end
  }

  /// The number of columns.
  let count: Int
  /// The names of the columns, or nil if rows are lists.
  let names: [Name]?
  /// The steps in sending a row, or nil if rows are lists.
  let steps: [Step]?
  /// The path of each column in its row.
  let paths: [[ValuePath.Step]]
  /// The columns with names that are not divided at their dots, because another column has the name of the dictionary.
  let undivided: [Int]
  /// True if a name in the header has no quotation marks, so that quotation marks of cells have a meaning.
  var hasUnquotedNames = false
  /// True if a name in the header has quotation marks that it does not need.
  var hasNeedlesslyQuotedNames = false

  /// Creates columns without names.
  init(count: Int) {
    (self.count, names, steps, undivided) = (count, nil, nil, [])
    paths = (0..<count).map { [.index($0)] }
  }

  /// The maximum number of dictionaries inside each other. Dividing a name takes time in proportion to its length for each of them, and no row
  /// that is built as a value may be deeper.
  static let depthLimit = ValueBuilder.depthLimit

  /// Creates columns with names.
  ///
  /// - Parameters:
  ///   - nestsDotted: True to read columns such as `address.city` as entries of a nested dictionary.
  ///   - depth: The maximum number of dictionaries inside each other, up to `depthLimit`. Dots after them stay in the key.
  init(named names: [Name], nestsDotted: Bool, depth: Int) {
    let depth = min(depth, Self.depthLimit)
    (count, self.names) = (names.count, names)
    var undivided: [Int] = []
    let steps: [Step]
    if nestsDotted {
      steps = Self.steps(names.enumerated().map { ($0.offset, $0.element.bytes[...]) }, depth, &undivided)
    } else {
      steps = names.enumerated().map { .cell($0.offset, $0.element) }
    }
    (self.steps, self.undivided, paths) = (steps, undivided, Self.paths(steps, count: names.count))
  }

  /// Returns the path of each column in its row.
  private static func paths(_ steps: [Step], count: Int) -> [[ValuePath.Step]] {
    var (paths, path) = ([[ValuePath.Step]](repeating: [], count: count), [ValuePath.Step]())
    for step in steps {
      switch step {
      case .begin(let name): path.append(name.step)
      case .end: path.removeLast()
      case .cell(let index, let name): paths[index] = path + [name.step]
      }
    }
    return paths
  }

  /// Columns with a common prefix, each with the rest of its name.
  private typealias Group = [(index: Int, name: ArraySlice<UInt8>)]

  /// A part of the columns whose steps are still to be added.
  private enum Part {
    case step(Step)
    /// Columns in a dictionary, and the number of dictionaries that may be inside it.
    case columns(Group, depth: Int)
  }

  /// Returns the steps for columns. If a column has the name of a dictionary, too, names with dots are not divided.
  private static func steps(_ columns: Group, _ depth: Int, _ undivided: inout [Int]) -> [Step] {
    var steps: [Step] = []
    // The next part is the last one.
    var waiting: [Part] = [.columns(columns, depth: depth)]
    while let part = waiting.popLast() {
      switch part {
      case .step(let step): steps.append(step)
      case .columns(let columns, let depth):
        for entry in entries(columns, isDivided: depth > 0, &undivided).reversed() {
          if entry.isNested {
            waiting += [
              .step(.end), .columns(entry.columns, depth: depth - 1), .step(.begin(Name(entry.key))),
            ]
          } else {
            waiting += entry.columns.map { .step(.cell($0.index, Name(entry.key))) }
          }
        }
      }
    }
    return steps
  }

  /// Returns the entries of a dictionary with columns. A nested one has the columns in it, each with the rest of its name.
  private static func entries(
    _ columns: Group, isDivided: Bool, _ undivided: inout [Int]
  ) -> [(key: [UInt8], columns: Group, isNested: Bool)] {
    let dot = UInt8(ascii: ".")
    let taken = Set(columns.map { Array($0.name) })
    var groups: [[UInt8]: Int] = [:]
    var entries: [(key: [UInt8], columns: Group, isNested: Bool)] = []
    for (index, name) in columns {
      let divides = { (point: Int) in isDivided && point > name.startIndex && point + 1 < name.endIndex }
      let end = name.firstIndex(of: dot).flatMap { divides($0) ? $0 : nil }
      let key = end.map { Array(name[..<$0]) }
      if let key, taken.contains(key) { undivided.append(index) }
      if let end, let key, !taken.contains(key) {
        if groups[key] == nil {
          groups[key] = entries.count
          entries.append((key, [], true))
        }
        if let group = groups[key] { entries[group].columns.append((index, name[(end + 1)...])) }
      } else {
        entries.append((Array(name), [(index, name)], false))
      }
    }
    return entries
  }
}
