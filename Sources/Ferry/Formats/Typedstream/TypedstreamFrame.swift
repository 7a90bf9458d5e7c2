/// The keys of records.
enum TypedstreamKeys {
  /// Words, for people.
  case words
  /// Those that the classes use in keyed archives, so that an archive can be unarchived.
  case archived
}

/// Something of a typedstream that is being sent, and how far that has come.
struct TypedstreamFrame {
  enum Content {
    case array, set, dictionary
    /// Entries that lie anywhere.
    case places([Int])
    case record([TypedstreamField])
    case runs([TypedstreamRun])
    /// The one value that an object is, or a key.
    case value, key
  }

  var content: Content
  /// The entry, the field or the run that comes next.
  var next: Int
  var left: Int
  /// A dictionary's entry has sent its key.
  var awaitsValue = false
  /// Whether an object's end follows the content's.
  var endsObject = false
  /// Where the object begins that this is in.
  var offset: Int
}

/// Makes frames of objects and structures.
struct TypedstreamFrames {
  let shapes: TypedstreamShapes
  let structureNames: [String]
  let keys: TypedstreamKeys
  let losses: LossReport

  /// A run of an attributed string.
  func run(_ run: TypedstreamRun, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let fields = [
      TypedstreamField(name: "location", content: .integer(run.location)),
      TypedstreamField(name: "length", content: .integer(run.length)),
      TypedstreamField(name: "attributes", content: .entry(run.attributes)),
    ]
    return TypedstreamFrame(content: .record(fields), next: 0, left: fields.count, offset: frame.offset)
  }

  /// A structure: a record where the names of its fields are known.
  func structure(at place: Int, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let entry = shapes.entries[place]
    var fields: [Int] = []
    var index = place + 1
    while index < entry.extra {
      fields.append(index)
      index = shapes.next(after: index)
    }
    let name = structureNames[entry.number]
    guard let names = KnownStructure.fields(of: name, count: fields.count) else {
      return TypedstreamFrame(content: .array, next: place + 1, left: fields.count, offset: frame.offset)
    }
    let record = zip(names, fields).map { TypedstreamField(name: $0, content: .entry($1)) }
    return TypedstreamFrame(content: .record(record), next: 0, left: record.count, offset: frame.offset)
  }

  /// What an object is.
  func frame(of object: Int) -> TypedstreamFrame {
    // Collections of a time before Foundation are unknown to keyed archives.
    if keys == .archived, shapes.isOfNeXT(object) { return list(of: object) }
    let offset = shapes.objects[object].offset
    switch shapes.shape(of: object) {
    case .array(let first, let count):
      return TypedstreamFrame(content: .array, next: first, left: count, offset: offset)
    case .set(let first, let count):
      return TypedstreamFrame(content: .set, next: first, left: count, offset: offset)
    case .dictionary(let first, let count):
      return TypedstreamFrame(content: .dictionary, next: first, left: count, offset: offset)
    case .value(let place):
      if keys == .archived { losses.add(.classKeys) }
      return TypedstreamFrame(content: .value, next: place, left: 1, offset: offset)
    case .record(let fields):
      if keys == .archived, fields.contains(where: { $0.archiveKey == nil }) { losses.add(.classKeys) }
      return TypedstreamFrame(content: .record(fields), next: 0, left: fields.count, offset: offset)
    case .attributedString(let string, let runs):
      let fields =
        keys == .archived
        ? TypedstreamField.archivedFields(of: string, runs)
        : [
          TypedstreamField(name: "string", content: .entry(string)),
          TypedstreamField(name: "runs", content: .runs(runs)),
        ]
      return TypedstreamFrame(content: .record(fields), next: 0, left: fields.count, offset: offset)
    case .null, .string, .data, .date, .number, .url, .list: return list(of: object)
    }
  }

  /// All values of an object in their order. Only its class knows what they are, and might need their types for it.
  ///
  /// In an archive they have the keys that an archiver gives to values without one: `$0`, `$1` …
  func list(of object: Int) -> TypedstreamFrame {
    losses.add(.typeEncoding)
    let offset = shapes.objects[object].offset
    var fields: [TypedstreamField] = []
    var count = 0
    let values = shapes.values(of: object)
    var index = values.lowerBound
    while index < values.upperBound {
      if keys == .archived { fields.append(TypedstreamField(name: "$\(count)", content: .entry(index))) }
      index = shapes.next(after: index)
      count += 1
    }
    return keys == .archived
      ? TypedstreamFrame(content: .record(fields), next: 0, left: count, offset: offset)
      : TypedstreamFrame(content: .array, next: values.lowerBound, left: count, offset: offset)
  }
}
