import Ferry

/// The readable report of an inferred schema.
struct InferenceText {
  private let found: InferredSchema

  init(_ found: InferredSchema) { self.found = found }

  /// The number of records and fields, the fields whose type has a reason, and notes.
  var summary: [String] {
    let reasons = found.decisions.compactMap { decision in
      decision.reason.map { "\(decision.pathText): \($0)" }
    }
    let more = reasons.count - Self.mostReasons
    let rest = more > 0 ? ["and \(more) more (--explain prints all)"] : []
    return [heading] + reasons.prefix(Self.mostReasons) + rest + found.notes.map(\.advised)
  }

  private static let mostReasons = 12

  private var heading: String {
    let schema = found.schema
    let fields = found.decisions.count
    let records = "\(found.recordCount) \(found.recordCount == 1 ? "record" : "records")"
    return "\(schema.name): \(records), \(fields) \(fields == 1 ? "field" : "fields")"
  }

  /// The report with a line for each field: its path, type, the number of records that have it, and the first values.
  var text: String {
    let rows = found.decisions.map { decision in
      [
        decision.pathText,
        decision.type + (decision.isOptional ? ", optional" : ""),
        decision.present < decision.total
          ? "\(decision.present) of \(decision.total)" : "\(decision.present)",
        decision.examplesText,
      ]
    }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = [heading]
    for (row, decision) in zip(rows, found.decisions) {
      let cells = (0..<3).map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 2 ? padding + row[column] : row[column] + padding
      }
      lines.append(("  " + cells.joined(separator: "  ") + "  " + row[3]).trimmedEnd)
      if let reason = decision.reason { lines.append("    \(reason)") }
    }
    return (lines + found.notes.map(\.advised)).map { $0.withoutControls + "\n" }.joined()
  }
}

extension InferredSchema.Decision {
  /// The path as in messages: `authors[].name`.
  var pathText: String {
    path.reduce(into: "") { text, step in
      text += step == "[]" ? "[]" : text.isEmpty ? step : ".\(step)"
    }
  }

  fileprivate var examplesText: String { examples.joined(separator: ", ") }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension InferredSchema {
  /// The report as JSON.
  var value: Value {
    let fields = decisions.map { decision in
      var entries: KeyedValues = KeyedValues()
      entries["path"] = .string(decision.pathText)
      entries["xml"] = .string(decision.xml)
      entries["type"] = .string(decision.type)
      entries["optional"] = .boolean(decision.isOptional)
      entries["present"] = .integer(Int128(decision.present))
      entries["records"] = .integer(Int128(decision.total))
      entries["examples"] = .array(decision.examples.map { .string($0) })
      if let reason = decision.reason { entries["reason"] = .string(reason) }
      return Value.dictionary(entries)
    }
    return [
      "schema": schema.value, "records": .integer(Int128(recordCount)), "fields": .array(fields),
      "notes": .array(notes.map { .string($0.advised) }),
    ]
  }
}
