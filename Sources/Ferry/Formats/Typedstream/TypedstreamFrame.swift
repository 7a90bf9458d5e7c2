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
    case entryIndices([Int])
    case record([TypedstreamField])
    case runs([TypedstreamRun])
    /// The value of an object with a single value, or a key.
    case value, key
  }

  var content: Content
  /// The index of the next entry, field or run.
  var next: Int
  var left: Int
  /// True if a dictionary has sent a key and its value comes next.
  var awaitsValue = false
  /// True if the end of the content is also the end of an object.
  var endsObject = false
  /// The identity with which the object was sent, or nil.
  var identity: Int?
  /// The byte offset of the enclosing object.
  var offset: Int
}

/// A factory of the frames for objects and structures.
struct TypedstreamFrames {
  let shapes: TypedstreamShapes
  let structureNames: [String]
  let keys: TypedstreamKeys
  let losses: LossReport

  /// Returns the frame for a run of an attributed string.
  func run(_ run: TypedstreamRun, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let fields = [
      TypedstreamField(name: "location", content: .integer(run.location)),
      TypedstreamField(name: "length", content: .integer(run.length)),
      TypedstreamField(name: "attributes", content: .entry(run.attributes)),
    ]
    return TypedstreamFrame(content: .record(fields), next: 0, left: fields.count, offset: frame.offset)
  }

  /// Returns the frame for a structure: a record if the names of its fields are known, otherwise an array.
  func structure(at entryIndex: Int, in frame: TypedstreamFrame) -> TypedstreamFrame {
    let entry = shapes.entries[entryIndex]
    var fields: [Int] = []
    var index = entryIndex + 1
    while index < entry.extra {
      fields.append(index)
      index = shapes.next(after: index)
    }
    let name = structureNames[entry.number]
    guard let names = KnownStructure.fields(of: name, count: fields.count) else {
      return TypedstreamFrame(content: .array, next: entryIndex + 1, left: fields.count, offset: frame.offset)
    }
    let record = zip(names, fields).map { TypedstreamField(name: $0, content: .entry($1)) }
    return TypedstreamFrame(content: .record(record), next: 0, left: record.count, offset: frame.offset)
  }

  /// Returns the frame for an object.
  ///
  /// - Throws: A `FerryError` with the reason `ValueProblem.kind` if the object becomes one of a keyed archive and its class would not
  ///   find the values there.
  func frame(of object: Int) throws(FerryError) -> TypedstreamFrame {
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
      if keys == .archived {
        guard let fields = archivedFields(ofStructure: entryIndex) else { throw cannotArchive(object) }
        return TypedstreamFrame(content: .record(fields), next: 0, left: fields.count, offset: offset)
      }
      return TypedstreamFrame(content: .value, next: entryIndex, left: 1, offset: offset)
    case .record(var fields):
      if keys == .archived, fields.contains(where: { $0.archiveKey == nil }) {
        guard let archived = Self.archivedFields(ofColor: fields) else { throw cannotArchive(object) }
        fields = archived
      }
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

  private func cannotArchive(_ object: Int) -> FerryError {
    let name = nameForMessage(shapes.classes[shapes.objects[object].type].name)
    return FerryError(
      .cannotHold(.kind("this object of the class \(name) from a typedstream", format: "a keyed archive")),
      at: InputLocation(byte: shapes.objects[object].offset))
  }

  /// The structures that an NSValue of a keyed archive can contain, by the names of their numbers.
  private static let archivedStructures = [
    ["x", "y"], ["width", "height"], ["x", "y", "width", "height"], ["location", "length"],
    ["a", "b", "c", "d", "tx", "ty"], ["top", "left", "bottom", "right"],
  ]

  /// Returns the fields of the decoded form that an NSValue has in a keyed archive, or nil for other structures.
  private func archivedFields(ofStructure entryIndex: Int) -> [TypedstreamField]? {
    guard let fields = numbers(ofStructure: entryIndex),
      Self.archivedStructures.contains(fields.map(\.name))
    else { return nil }
    return fields
  }

  /// Returns the numbers in a structure and the structures inside it, or nil if a name is unknown.
  private func numbers(ofStructure entryIndex: Int) -> [TypedstreamField]? {
    guard shapes.entries[entryIndex].kind == .structure else { return nil }
    let frame = structure(at: entryIndex, in: TypedstreamFrame(content: .value, next: 0, left: 0, offset: 0))
    guard case .record(let fields) = frame.content else { return nil }
    var numbers: [TypedstreamField] = []
    for field in fields {
      guard case .entry(let index) = field.content else { return nil }
      guard shapes.entries[index].kind == .structure else {
        numbers.append(field)
        continue
      }
      guard let inner = self.numbers(ofStructure: index) else { return nil }
      numbers += inner
    }
    return numbers
  }

  /// Returns the fields of the decoded form that a color has in a keyed archive, or nil for other records.
  private static func archivedFields(ofColor fields: [TypedstreamField]) -> [TypedstreamField]? {
    guard let space = fields.first, space.name == "space", fields.count > 2,
      case .entry(let first) = fields[1].content
    else { return nil }
    var archived = [TypedstreamField(name: "colorSpace", content: space.content)]
    if fields[1].name == "catalog" {
      for (name, field) in zip(["catalog", "name", "value"], fields.dropFirst()) {
        archived.append(TypedstreamField(name: name, content: field.content))
      }
    } else {
      archived.append(
        TypedstreamField(name: "components", content: .entries(first: first, count: fields.count - 1)))
    }
    return archived
  }

  /// Returns the frame for all values of an object, in order. Only the class determines what the values mean,
  /// and it may need their types, which are lost.
  ///
  /// In an archive, the values get the keys that an archiver uses for values without a key: `$0`, `$1` …
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
