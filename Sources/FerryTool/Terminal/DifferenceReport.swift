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
    let partners = partners
    let lines = differences.enumerated().map { index, difference in
      line(for: difference, beside: partners[index])
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
    }
  }

  private func line(for file: ChangedFile) -> String {
    switch file.change {
    case .removed: colors("- \(file.name): ", .warning) + "\(file.oldSize) bytes"
    case .added: colors("+ \(file.name): ", .string) + "\(file.newSize) bytes"
    case .changed: colors("~ \(file.name): ", .number) + "\(file.oldSize) bytes → \(file.newSize) bytes"
    }
  }

  /// Returns a path in words; the root has the path `.`.
  private static func path(_ path: ValuePath?) -> String {
    path.map { $0.steps.isEmpty ? "." : $0.description } ?? ""
  }

  /// For each removed and added scalar that is too long for a line, a scalar of the other version that would be printed the same.
  private var partners: [Int: Value] {
    var (removed, added): ([[UInt8]: [Int]], [[UInt8]: [Int]]) = ([:], [:])
    for (index, difference) in differences.enumerated() {
      switch difference.change {
      case .removed(let value) where LongScalar(value) != nil:
        removed[Array(shown(value).utf8), default: []].append(index)
      case .added(let value) where LongScalar(value) != nil:
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

  /// Returns both versions of a value, each in one line.
  private func shown(_ old: Value, _ new: Value, colors: Colors? = nil) -> (old: String, new: String) {
    let texts = (shown(old, colors: colors), shown(new, colors: colors))
    guard old != new, let mine = LongScalar(old), let other = LongScalar(new),
      texts.0.utf8.elementsEqual(texts.1.utf8) || mine.hidesDifference(from: other)
    else { return texts }
    return (shown(old, beside: new, colors: colors), shown(new, beside: old, colors: colors))
  }

  /// Returns a value in one line, or the part of it that begins to differ from a value of the other version.
  private func shown(_ value: Value, beside other: Value?, colors: Colors? = nil) -> String {
    guard let other, let excerpt = LongScalar.Excerpt(of: value, beside: other) else {
      return shown(value, colors: colors)
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
  private func shown(_ value: Value, colors: Colors? = nil) -> String {
    let output = MemoryOutput()
    let limits = TreePrinter.Limits(depth: 4, items: 20, text: LongScalar.shownText, total: 40)
    let printer = TreePrinter(to: output, width: .max, color: colors ?? self.colors, limits: limits)
    do throws(FerryError) {
      try value.replay(into: printer)
      try printer.finish()
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
    }
  }

  private func row(of file: ChangedFile) -> Row {
    let (old, new) = ("\(file.oldSize) bytes", "\(file.newSize) bytes")
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
