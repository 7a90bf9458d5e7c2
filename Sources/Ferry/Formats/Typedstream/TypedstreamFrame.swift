/// The naming scheme for keys of records.
enum TypedstreamKeys {
  /// Words for people to read.
  case words
  /// The keys that the classes use in keyed archives, so that programs can unarchive the output.
  case archived
}

/// A collection or an object that is being sent, with the progress.
struct TypedstreamFrame {
  enum Content {
    case array, set, dictionary
    /// Entries at arbitrary indices of the list.
    case entryIndices([TypedstreamEntryIndex])
    case record([TypedstreamField])
    case runs([TypedstreamRun])
    /// The value of an object with a single value, or a key.
    case value, key
  }

  var content: Content
  /// The next entry, if the content is entries that follow each other.
  var next: TypedstreamEntryIndex
  var left: Int
  /// True if a dictionary has sent a key and its value comes next.
  var awaitsValue = false
  /// True if the end of the content is also the end of an object.
  var endsObject = false
  /// The object that was sent with its number as the identity, or nil.
  var identity: TypedstreamObjectNumber?
  /// The byte offset of the enclosing object.
  var offset: Int

  /// Creates a frame for entries that follow each other.
  init(content: Content, next: TypedstreamEntryIndex, left: Int, offset: Int) {
    (self.content, self.next, self.left, self.offset) = (content, next, left, offset)
  }

  init(record fields: [TypedstreamField], offset: Int) {
    self.init(content: .record(fields), next: .first, left: fields.count, offset: offset)
  }

  init(runs: [TypedstreamRun], offset: Int) {
    self.init(content: .runs(runs), next: .first, left: runs.count, offset: offset)
  }

  init(entryIndices: [TypedstreamEntryIndex], offset: Int) {
    self.init(content: .entryIndices(entryIndices), next: .first, left: entryIndices.count, offset: offset)
  }
}

/// A factory of the frames for objects and structures.
struct TypedstreamFrames {
  let shapes: TypedstreamShapes
  let structures: [TypedstreamStructure]
  let keys: TypedstreamKeys
  let losses: LossReport

  /// Returns the frame for a run of an attributed string.
  func run(_ run: TypedstreamRun, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let fields = [
      TypedstreamField(name: "location", content: .integer(run.location)),
      TypedstreamField(name: "length", content: .integer(run.length)),
      TypedstreamField(name: "attributes", content: .entry(run.attributes)),
    ]
    return TypedstreamFrame(record: fields, offset: frame.offset)
  }

  /// Returns the frame for a structure: a record if the names of its fields are known, otherwise an array.
  func structure(at entryIndex: TypedstreamEntryIndex, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let entry = shapes.entries[entryIndex]
    var fields: [TypedstreamEntryIndex] = []
    var index = entryIndex + 1
    while index < entry.end {
      fields.append(index)
      index = shapes.next(after: index)
    }
    let name = structures[entry.structureNumber].name
    guard let names = KnownStructure.fields(of: name, count: fields.count) else {
      return TypedstreamFrame(content: .array, next: entryIndex + 1, left: fields.count, offset: frame.offset)
    }
    let record = zip(names, fields).map { TypedstreamField(name: $0, content: .entry($1)) }
    return TypedstreamFrame(record: record, offset: frame.offset)
  }

  /// Returns the frame for an object.
  func frame(of object: TypedstreamObjectNumber) -> TypedstreamFrame {
    // Keyed archives have no classes for the collections of NeXTSTEP.
    if keys == .archived, shapes.isOfNeXT(object) { return list(of: object) }
    let offset = shapes.objects[object].offset
    switch shapes.shape(of: object) {
    case .array(let first, let count):
      return TypedstreamFrame(content: .array, next: first, left: count, offset: offset)
    case .set(let first, let count):
      return TypedstreamFrame(content: .set, next: first, left: count, offset: offset)
    case .dictionary(let first, let count):
      return TypedstreamFrame(content: .dictionary, next: first, left: count, offset: offset)
    case .value(let entryIndex):
      if keys == .archived { losses.add(.classKeys) }
      return TypedstreamFrame(content: .value, next: entryIndex, left: 1, offset: offset)
    case .record(let fields):
      if keys == .archived, fields.contains(where: { $0.archiveKey == nil }) { losses.add(.classKeys) }
      return TypedstreamFrame(record: fields, offset: offset)
    case .attributedString(let string, let runs):
      let fields =
        keys == .archived
        ? TypedstreamField.archivedFields(of: string, runs)
        : [
          TypedstreamField(name: "string", content: .entry(string)),
          TypedstreamField(name: "runs", content: .runs(runs)),
        ]
      return TypedstreamFrame(record: fields, offset: offset)
    case .null, .string, .data, .date, .number, .url, .list: return list(of: object)
    }
  }

  /// Returns the frame for all values of an object, in order. Only the class determines what the values mean,
  /// and it may need their types, which are lost.
  ///
  /// In an archive, the values get the keys that an archiver uses for values without a key: `$0`, `$1` …
  func list(of object: TypedstreamObjectNumber) -> TypedstreamFrame {
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
      ? TypedstreamFrame(record: fields, offset: offset)
      : TypedstreamFrame(content: .array, next: values.lowerBound, left: count, offset: offset)
  }
}
