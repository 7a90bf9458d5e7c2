/// A record of an older version, and the rules that make the values of current fields from it.
///
///     {"surname": "Lovelace"}   {"name": "lastName", "from": "surname"}   →   lastName "Lovelace"
struct OlderRecord {
  let type: RecordType
  let rules: VersionRules
  /// The tape index of the record's dictionary.
  let dictionary: TapeIndex
  let tape: EventTape
  /// The translator of the record.
  let translator: RecordTranslator

  /// The translator that reads values with the types of the older fields.
  private var reader: RecordTranslator { translator.olderReader }
  private var losses: LossReport { translator.losses }

  // MARK: Keys

  /// Returns true if a key of a current field has another meaning in the older version.
  func hasOlderMeaning(_ key: TapeIndex, ofField field: Int) -> Bool {
    let text = tape.text(at: key).utf8
    if rules.isRemoved(text) { return true }
    guard rules.isSource(text) else { return false }
    // Without a rule, a field has its own key, even if other fields are also made from that key.
    guard let rule = rules.fields.first(where: { $0.name.equals(type.fields[field].name) }) else {
      return false
    }
    return rule.sources.contains { text.equals($0.utf8.span) }
  }

  /// Returns true if the rules use a key for a field, or remove it.
  func isUsed(_ key: TapeIndex) -> Bool {
    guard tape.kind(at: key) == .key else { return false }
    return rules.removed.contains { isKey(key, $0) } || rules.fields.contains { isSource(key, of: $0) }
  }

  private func isSource(_ key: TapeIndex, of rule: FieldRule) -> Bool {
    rule.sources.contains { isKey(key, $0) }
  }

  /// Returns true if a key is the one in a rule. In XML, the key may be that of an attribute, which begins
  /// with `@`.
  private func isKey(_ key: TapeIndex, _ name: String) -> Bool {
    let text = tape.text(at: key).utf8
    if text.equals(name.utf8.span) { return true }
    guard translator.source.hasElements, text.count > 1, text[0] == UInt8(ascii: "@") else { return false }
    return text.extracting(1...).equals(name.utf8.span)
  }

  /// Returns the tape indices of the values that a rule uses, in the order of the rule, and true if there are nulls besides.
  private func sources(of rule: FieldRule) -> (values: [TapeIndex], hasNull: Bool) {
    var found: (values: [TapeIndex], hasNull: Bool) = ([], false)
    for source in rule.sources {
      for (key, value) in tape.entries(of: dictionary)
      where tape.kind(at: key) == .key && isKey(key, source) {
        if translator.isNull(value, of: rule.type, tape) {
          found.hasNull = true
        } else {
          found.values.append(value)
        }
      }
    }
    return found
  }

  // MARK: Values

  /// Makes the values of current fields. Reports the older values that are not used, or only in part.
  func makeFields(_ found: inout FoundFields) throws(FerryError) {
    for rule in rules.fields {
      guard let index = type.fields.firstIndex(where: { $0.name.equals(rule.name) }) else { continue }
      try makeField(index, by: rule, &found)
    }
    noteUntakenParts(found)
  }

  private func makeField(
    _ index: Int, by rule: FieldRule, _ found: inout FoundFields
  ) throws(FerryError) {
    let field = type.fields[index]
    let (sources, hasNull) = sources(of: rule)
    guard found.tapeIndices[index] < .start else {
      return noteUnused(sources, of: rule, for: field, at: found.tapeIndices[index])
    }
    let keepsValue = rule.changes.isEmpty && rule.type == field.type
    guard let first = sources.first else {
      if let value = rule.defaultValue {
        found.made[index] = value
      } else if hasNull {
        // No rule can compute with null.
        translator.noteOlderNull(for: index, of: type, in: &found)
        if keepsValue, found.tapeIndices[index] == FoundFields.null { found.order.append(index) }
      }
      return
    }
    if !rule.isJoining { noteUnused(Array(sources.dropFirst()), of: rule, for: field, at: first) }
    if keepsValue {
      found.tapeIndices[index] = first
      found.order.append(index)
    } else if let value = try value(of: rule, sources, as: field.type, losses) ?? rule.defaultValue {
      found.made[index] = value
    }
  }

  /// Returns the value that a rule makes, or nil if it makes none.
  private func value(
    of rule: FieldRule, _ sources: [TapeIndex], as type: FieldType, _ losses: LossReport
  ) throws(FerryError) -> Value? {
    var values: [Value] = []
    let reader = reader
    // The losses in values that cannot be used are not those of the record.
    defer { _ = reader.losses.take() }
    for tapeIndex in sources {
      // Today's field is a list, so that an element without text may have been one.
      if rule.type == .string, translator.isEmptyList(tapeIndex, tape) {
        values.append(.string(""))
        continue
      }
      let builder = ValueBuilder()
      try reader.locating(.key(rule.name)) { () throws(FerryError) in
        try reader.send(rule.type, rule.name, at: tapeIndex, of: tape, to: builder)
      }
      values.append(try builder.result())
    }
    losses.add(reader.losses.take())
    let start = losses.listedCount
    do throws(UnusableValue) {
      let value = try rule.value(of: values, as: type, losses: losses)
      losses.prefix(.key(rule.name), from: start)
      return value
    } catch {
      let held = TapeSink()
      try error.value.replay(into: held)
      throw FerryError(
        .record(.badField(rule.name, wanted: error.wanted, found: held.tape.words(at: .start))),
        path: ValuePath([.key(rule.name)]))
    }
  }

  // MARK: Losses

  /// Reports a loss for older values that are not used because the field also has a current value, unless
  /// they are equal to that value.
  private func noteUnused(
    _ sources: [TapeIndex], of rule: FieldRule, for field: RecordField, at tapeIndex: TapeIndex
  ) {
    let unused = sources.filter { $0 != tapeIndex && !tape.equalValues(at: $0, tapeIndex) }
    guard !unused.isEmpty, !makesValue(sources, of: rule, for: field, at: tapeIndex) else { return }
    losses.add(.olderKey, path: ValuePath([.key(field.name)]))
  }

  /// Returns true if the rule makes the field's value from the older values.
  private func makesValue(
    _ sources: [TapeIndex], of rule: FieldRule, for field: RecordField, at tapeIndex: TapeIndex
  ) -> Bool {
    let builder = ValueBuilder()
    do throws(FerryError) {
      defer { _ = reader.losses.take() }
      try reader.send(field.type, field.name, at: tapeIndex, of: tape, to: builder)
      return try value(of: rule, sources, as: field.type, LossReport()) == builder.result()
    } catch {
      return false
    }
  }

  /// Reports a loss for each text that the rules use only in part.
  private func noteUntakenParts(_ found: FoundFields) {
    guard rules.fields.contains(where: { $0.part != nil }) else { return }
    for (key, value) in tape.entries(of: dictionary)
    where tape.kind(at: key) == .key && !found.tapeIndices.contains(value) {
      guard let text = text(at: value) else { continue }
      let takers = rules.fields.filter { isSource(key, of: $0) }
      let parts = takers.compactMap(\.part)
      guard !parts.isEmpty, parts.count == takers.count, !TextParts.cover(text.utf8.span, parts) else {
        continue
      }
      losses.add(.olderPart, path: ValuePath([tape.step(ofKey: key)]))
    }
  }

  /// Returns the text of a scalar from which rules take parts, or nil for other values.
  private func text(at index: TapeIndex) -> String? {
    switch tape.kind(at: index) {
    case .string: tape.string(at: index)
    case .date: ISODate.text(tape.real(at: index))
    default: tape.notation(at: index)
    }
  }
}
