/// The references to some records of a dictionary, in the records of one version of it.
///
/// A list of texts has references if all its texts are keys of the dictionary. Another text is a reference if that is true of all such texts
/// under its key.
struct RecordReferences {
  /// A text in a record that is the key of a record.
  struct Reference: Hashable {
    /// The number of the trail to the text.
    let trail: Int
    let target: Value
  }

  /// Numbers of the trails of dictionary keys inside records. Equal trails have equal numbers.
  struct Trails {
    private struct Step: Hashable {
      let parent: Int
      let key: Value
    }
    private var numbers: [Step: Int] = [:]

    /// The trail to a record itself.
    static let root = 0

    fileprivate mutating func number(of key: Value, after parent: Int) -> Int {
      let step = Step(parent: parent, key: key)
      let number = numbers[step] ?? numbers.count + 1
      numbers[step] = number
      return number
    }
  }

  /// The references, by the key of the record that has them.
  private(set) var found: [Value: Set<Reference>] = [:]

  /// Finds the references to the records with the given keys.
  init(to targets: Set<Value>, in records: KeyedValues, _ trails: inout Trails) {
    /// The texts outside of lists that may be references.
    var candidates: [(record: Value, field: Value, reference: Reference)] = []
    /// The keys under which there are texts outside of lists that are not keys of records.
    var otherFields: Set<Value> = []
    var found: [Value: Set<Reference>] = [:]
    Self.visitTexts(in: records, &trails) { key, texts, field, trail, isList in
      guard texts.allSatisfy({ records[$0] != nil }) else {
        if !isList { otherFields.insert(field) }
        return
      }
      for target in texts where targets.contains(target) {
        let reference = Reference(trail: trail, target: target)
        if isList {
          found[key, default: []].insert(reference)
        } else {
          candidates.append((key, field, reference))
        }
      }
    }
    for (key, field, reference) in candidates where !otherFields.contains(field) {
      found[key, default: []].insert(reference)
    }
    self.found = found
  }

  /// Returns all texts in records that equal the given keys, by the key of the record that has them.
  static func texts(
    equalTo targets: Set<Value>, in records: KeyedValues, _ trails: inout Trails
  ) -> [Value: Set<Reference>] {
    var found: [Value: Set<Reference>] = [:]
    visitTexts(in: records, &trails) { key, texts, _, trail, _ in
      for text in texts where targets.contains(text) {
        found[key, default: []].insert(Reference(trail: trail, target: text))
      }
    }
    return found
  }

  /// Calls a function for each list of texts in the records, and for each text that is not in such a list, with the key of the record, the
  /// texts, the last dictionary key before them, the number of the trail to them, and true for a list.
  private static func visitTexts(
    in records: KeyedValues, _ trails: inout Trails,
    _ visit: (_ record: Value, _ texts: [Value], _ field: Value, _ trail: Int, _ isList: Bool) -> Void
  ) {
    for (key, record) in records {
      var waiting = [(field: key, trail: Trails.root, value: record)]
      while let (field, trail, value) = waiting.popLast() {
        switch value {
        case .dictionary(let entries):
          for (field, value) in entries {
            waiting.append((field, trails.number(of: field, after: trail), value))
          }
        case .array(let elements), .set(let elements):
          if elements.allSatisfy({ if case .string = $0 { true } else { false } }) {
            visit(key, elements, field, trail, true)
          } else {
            waiting += elements.map { (field, trail, $0) }
          }
        case .object(let object): waiting.append((field, trail, object.content))
        case .string: visit(key, [value], field, trail, false)
        default: break
        }
      }
    }
  }
}
