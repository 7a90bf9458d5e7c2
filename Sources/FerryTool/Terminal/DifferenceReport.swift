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
    colors("--- \(StandardError.inputName(old))", .heading) + "\n"
      + colors("+++ \(StandardError.inputName(new))", .heading) + "\n"
  }

  // MARK: Lines

  /// A line for each difference, and for each changed file.
  var lines: String {
    (differences.map(line) + files.map(line)).map { $0 + "\n" }.joined()
  }

  private func line(for difference: ValueDifferences.Difference) -> String {
    let path = Self.path(difference.newPath ?? difference.oldPath)
    switch difference.change {
    case .removed(let value):
      return colors("- \(Self.path(difference.oldPath)): ", .warning) + shown(value)
    case .added(let value): return colors("+ \(path): ", .string) + shown(value)
    case .changed(let old, let new):
      return colors("~ \(path): ", .number) + shown(old) + colors.colored(" → ", .faint) + shown(new)
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

  /// Returns a value in one line, with a part of large ones.
  private func shown(_ value: Value, colors: Colors? = nil) -> String {
    let output = MemoryOutput()
    let limits = TreePrinter.Limits(depth: 4, items: 20, text: 400)
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
    let rows = differences.map(row) + files.map(row)
    let pathWidth = min(rows.map(\.path.columnWidth).max() ?? 0, width / 3)
    let valueWidth = max(1, (width - pathWidth - 6) / 2)
    return rows.map { row in
      let cells = [(row.path, pathWidth), (row.old, valueWidth), (row.new, valueWidth)].map { text, width in
        text.cut(toColumns: width)
      }
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
  }

  private func row(of difference: ValueDifferences.Difference) -> Row {
    let plain = Colors(areShown: false)
    let path = Self.path(difference.newPath ?? difference.oldPath)
    switch difference.change {
    case .removed(let value): return Row(path: path, mark: "-", old: shown(value, colors: plain))
    case .added(let value): return Row(path: path, mark: "+", new: shown(value, colors: plain))
    case .changed(let old, let new):
      return Row(path: path, mark: "~", old: shown(old, colors: plain), new: shown(new, colors: plain))
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
