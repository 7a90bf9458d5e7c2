import Ferry

/// The differences between two files as text.
struct DifferenceReport {
  private let differences: [ValueDifferences.Difference]
  private let files: [ChangedFile]
  private let colors: Colors

  init(_ differences: [ValueDifferences.Difference], _ files: [ChangedFile], colors: Colors) {
    (self.differences, self.files, self.colors) = (differences, files, colors)
  }

  /// Returns the two lines with the names of the files.
  func header(_ old: String, _ new: String) -> String {
    colors("--- \(old)", .heading) + "\n" + colors("+++ \(new)", .heading) + "\n"
  }

  // MARK: Lines

  /// A line for each difference, and for each changed file.
  var lines: String {
    let (partners, others) = (partners, addedAtOtherKeys)
    let lines = differences.enumerated().map { index, difference in
      line(for: difference, beside: partners[index])
        + (others.contains(index) ? colors.colored(" (another key)", .faint) : "")
    }
    return (lines + files.map(line)).map { $0 + "\n" }.joined()
  }

  /// - Parameter partner: A value of the other version that would be printed the same.
  private func line(for difference: ValueDifferences.Difference, beside partner: Value?) -> String {
    let path = Self.path(difference.newPath ?? difference.oldPath)
    switch difference.change {
    case .removed(let value):
      return colors("- \(Self.path(difference.oldPath)): ", .warning) + shown(value, beside: partner)
    case .added(let value): return colors("+ \(path): ", .string) + shown(value, beside: partner)
    case .changed(let old, let new):
      let texts = shown(old, new)
      return colors("~ \(path): ", .number) + texts.old + colors.colored(" → ", .faint) + texts.new
    case .moved: return colors("> \(Self.path(difference.oldPath)) → \(path)", .key)
    case .sharing(let old, let new):
      return colors("~ \(path): ", .number) + Self.object(at: old) + colors.colored(" → ", .faint)
        + Self.object(at: new)
    case .documents(let areOld):
      let words = Self.documents(areOld: areOld)
      return colors("~ \(path): ", .number) + words.old + colors.colored(" → ", .faint) + words.new
    }
  }

  private func line(for file: ChangedFile) -> String {
    let (old, new) = file.words
    return switch file.change {
    case .removed: colors("- \(file.name): ", .warning) + old
    case .added: colors("+ \(file.name): ", .string) + new
    case .changed: colors("~ \(file.name): ", .number) + "\(old) → \(new)"
    }
  }

  /// Returns the words for an object that is also at another path; nil for one that is at no other path.
  private static func object(at path: ValuePath?) -> String {
    guard let path else { return "an object of its own" }
    return path.steps.isEmpty ? "the root object" : "the object at \(path)"
  }

  /// Returns the words for both versions of values that are documents in one of them, and a list in the other.
  private static func documents(areOld: Bool) -> (old: String, new: String) {
    let (documents, list) = ("several documents", "a list in one document")
    return areOld ? (documents, list) : (list, documents)
  }

  /// Returns a path in words; the root has the path `.`.
  private static func path(_ path: ValuePath?) -> String {
    path.map { $0.steps.isEmpty ? "." : $0.description } ?? ""
  }

  /// The added values with the path and the value of a removed one: their keys only have the same text, such as `1` and `"1"` in YAML.
  private var addedAtOtherKeys: Set<Int> {
    var removed: [[UInt8]: Value] = [:]
    for difference in differences {
      guard case .removed(let value) = difference.change else { continue }
      removed[Array(Self.path(difference.oldPath).utf8)] = value
    }
    guard !removed.isEmpty else { return [] }
    var others: Set<Int> = []
    for (index, difference) in differences.enumerated() {
      guard case .added(let value) = difference.change,
        removed[Array(Self.path(difference.newPath ?? difference.oldPath).utf8)] == value
      else { continue }
      others.insert(index)
    }
    return others
  }

  /// For each removed and added value, a different value of the other version that would be printed the same.
  private var partners: [Int: Value] {
    var (removed, added): ([[UInt8]: [Int]], [[UInt8]: [Int]]) = ([:], [:])
    for (index, difference) in differences.enumerated() {
      switch difference.change {
      case .removed(let value):
        removed[Array(shown(value).utf8), default: []].append(index)
      case .added(let value):
        added[Array(shown(value).utf8), default: []].append(index)
      default: continue
      }
    }
    var partners: [Int: Value] = [:]
    for (text, indices) in removed {
      for (old, new) in zip(indices, added[text] ?? []) {
        guard case .removed(let mine) = differences[old].change,
          case .added(let other) = differences[new].change, mine != other
        else { continue }
        (partners[old], partners[new]) = (other, mine)
      }
    }
    return partners
  }

  /// Returns both versions of a value, each in one line. Versions that would look alike have marks.
  private func shown(_ old: Value, _ new: Value, colors: Colors? = nil) -> (old: String, new: String) {
    let texts = (shown(old, colors: colors), shown(new, colors: colors))
    guard old != new else { return texts }
    if let mine = LongScalar(old), let other = LongScalar(new),
      texts.0.utf8.elementsEqual(texts.1.utf8) || mine.hidesDifference(from: other)
    {
      return (shown(old, beside: new, colors: colors), shown(new, beside: old, colors: colors))
    }
    guard texts.0.looksLike(texts.1) else { return texts }
    return (
      shown(old, marked: true, escaped: true, colors: colors),
      shown(new, marked: true, escaped: true, colors: colors)
    )
  }

  /// Returns a value in one line, or the part of it that begins to differ from a value of the other version, or with marks.
  private func shown(_ value: Value, beside other: Value?, colors: Colors? = nil) -> String {
    guard let other else { return shown(value, colors: colors) }
    guard let excerpt = LongScalar.Excerpt(of: value, beside: other) else {
      return shown(value, marked: true, colors: colors)
    }
    let palette = colors ?? self.colors
    let start = "from offset \(excerpt.start): "
    switch excerpt.value {
    case .data(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
      return palette.colored(
        "<\(start)\(digits)\(excerpt.isCut ? " …" : ""), \(excerpt.count) bytes>", .faint)
    default:
      return palette.colored(start, .faint) + shown(excerpt.value, colors: colors)
        + palette.colored("\(excerpt.isCut ? "…" : ",") \(excerpt.count) \(excerpt.unit)", .faint)
    }
  }

  /// Returns a value in one line, with a part of large ones.
  ///
  /// - Parameters:
  ///   - marked: True to mark what tells the value apart from others of the same notation.
  ///   - escaped: True to write characters that are not ASCII as escapes, to tell texts apart that look alike.
  private func shown(
    _ value: Value, marked: Bool = false, escaped: Bool = false, colors: Colors? = nil
  ) -> String {
    let output = MemoryOutput()
    var limits = TreeWriter.Limits(depth: 4, items: 20, text: LongScalar.shownText, total: 40)
    (limits.marksDifferences, limits.escapesCharacters) = (marked, escaped)
    let writer = TreeWriter(to: output, width: .max, color: colors ?? self.colors, limits: limits)
    do throws(FerryError) {
      try value.replay(into: writer)
      try writer.finish()
    } catch {
      return error.advisedMessage
    }
    let text = String(decoding: output.bytes, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  // MARK: Columns

  /// Both versions of each value side by side: the path, the old and the new value.
  func columns(width: Int) -> String {
    let partners = partners
    let rows =
      differences.enumerated().map { index, difference in row(of: difference, beside: partners[index]) }
      + files.map(row)
    let pathWidth = min(rows.map(\.path.columnWidth).max() ?? 0, width / 3)
    let valueWidth = max(1, (width - pathWidth - 6) / 2)
    return rows.map { row in
      var values = [row.old, row.new].map { $0.cut(toColumns: valueWidth) }
      if values[0].utf8.elementsEqual(values[1].utf8), case .changed(let old, let new)? = row.change {
        // The columns have room for the beginning of both values only.
        let plain = Colors(areShown: false)
        values = [shown(old, beside: new, colors: plain), shown(new, beside: old, colors: plain)].map {
          $0.cut(toColumns: valueWidth)
        }
      }
      let cells = [row.path.cut(toColumns: pathWidth)] + values
      return
        "\(colors(cells[0], .key)) \(row.mark) \(colors(cells[1], .warning))   \(colors(cells[2], .string))"
        .withoutTrailingSpaces + "\n"
    }.joined()
  }

  private struct Row {
    var path: String
    var mark: String
    var old = ""
    var new = ""
    /// The change if the row has both versions of a value; nil for other rows.
    var change: ValueDifferences.Change?
  }

  /// - Parameter partner: A value of the other version that would be printed the same.
  private func row(of difference: ValueDifferences.Difference, beside partner: Value?) -> Row {
    let plain = Colors(areShown: false)
    let path = Self.path(difference.newPath ?? difference.oldPath)
    switch difference.change {
    case .removed(let value):
      return Row(path: path, mark: "-", old: shown(value, beside: partner, colors: plain))
    case .added(let value):
      return Row(path: path, mark: "+", new: shown(value, beside: partner, colors: plain))
    case .changed(let old, let new):
      let texts = shown(old, new, colors: plain)
      return Row(path: path, mark: "~", old: texts.old, new: texts.new, change: difference.change)
    case .moved: return Row(path: path, mark: ">", old: Self.path(difference.oldPath), new: path)
    case .sharing(let old, let new):
      return Row(path: path, mark: "~", old: Self.object(at: old), new: Self.object(at: new))
    case .documents(let areOld):
      let words = Self.documents(areOld: areOld)
      return Row(path: path, mark: "~", old: words.old, new: words.new)
    }
  }

  private func row(of file: ChangedFile) -> Row {
    let (old, new) = file.words
    switch file.change {
    case .removed: return Row(path: file.name, mark: "-", old: old)
    case .added: return Row(path: file.name, mark: "+", new: new)
    case .changed: return Row(path: file.name, mark: "~", old: old, new: new)
    }
  }
}

extension String {
  /// Returns the text with exactly this width in columns: cut, with `…`, or filled with spaces.
  fileprivate func cut(toColumns width: Int) -> String {
    guard columnWidth > width else { return self + String(repeating: " ", count: width - columnWidth) }
    var used = 0
    let kept = prefix { character in
      used += character.columnWidth
      return used < width
    }
    let text = String(kept) + "…"
    return text + String(repeating: " ", count: max(0, width - text.columnWidth))
  }

  fileprivate var withoutTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
