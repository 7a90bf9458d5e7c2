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

  /// The maximum number of dictionaries inside each other, because columns are divided recursively. No row that is built as a value may be
  /// deeper.
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

  /// Returns the steps for columns with a common prefix, given the rest of each name. If a column has the name of a
  /// dictionary, too, names with dots are not divided. The recursion is bounded by `depthLimit`.
  private static func steps(
    _ columns: [(index: Int, name: ArraySlice<UInt8>)], _ depth: Int, _ undivided: inout [Int]
  ) -> [Step] {
    let dot = UInt8(ascii: ".")
    let taken = Set(columns.map { Array($0.name) })
    var groups: [[UInt8]: Int] = [:]
    var entries: [(key: [UInt8], columns: [(index: Int, name: ArraySlice<UInt8>)], isNested: Bool)] = []
    for (index, name) in columns {
      let divides = { (point: Int) in depth > 0 && point > name.startIndex && point + 1 < name.endIndex }
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
    return entries.flatMap { key, columns, isNested -> [Step] in
      guard isNested else { return columns.map { .cell($0.index, Name(key)) } }
      return [.begin(Name(key))] + steps(columns, depth - 1, &undivided) + [.end]
    }
  }
}
