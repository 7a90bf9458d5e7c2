extension Inspection {
  /// Returns the inspection as the JSON value that `ferry inspect --json` prints. Parts that do not apply to
  /// the file are left out.
  ///
  /// - Parameter withGraph: Pass true to add `graph` to `archive`: the objects by number, and each reference
  ///   as `[from, to, key]`.
  public func value(withGraph: Bool = false) -> Value {
    var fields = KeyedValues()
    fields["format"] = .string(format.rawValue)
    fields["bytes"] = Value(byteCount)
    if isSigned { fields["signed"] = true }
    if !compressions.isEmpty { fields["compressions"] = .array(compressions.map { .string($0.rawValue) }) }
    fields["encoding"] = encoding.map { .string($0) }
    fields["archive"] = archive?.value(withGraph: withGraph)
    fields["values"] = values?.value
    fields["document"] = document?.value
    fields["table"] = table?.value
    fields["store"] = store?.value
    if !blobs.isEmpty { fields["blobs"] = blobs.value }
    if !warnings.isEmpty { fields["warnings"] = warnings.value }
    return .dictionary(fields)
  }
}

extension Inspection.Store {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["isCoreData"] = .boolean(isCoreData)
    fields["uuid"] = uuid.map { .string($0) }
    fields["tables"] = .array(
      tables.map { table in
        var fields = KeyedValues()
        fields["name"] = .string(table.name)
        fields["kind"] = .string(table.kind.rawValue)
        fields["rows"] = table.rows.map { Value($0) }
        fields["table"] = table.table.map { .string($0) }
        fields["columns"] = .array(
          table.columns.map { ["name": .string($0.name), "type": .string($0.type ?? "")] })
        return .dictionary(fields)
      })
    return .dictionary(fields)
  }
}

extension Inspection.Archive {
  fileprivate func value(withGraph: Bool) -> Value {
    var fields = KeyedValues()
    fields["archiver"] = archiver.map { .string($0) }
    fields["version"] = version.map { .integer($0) }
    fields["roots"] = .array(roots.map(\.value))
    if !otherEntries.isEmpty {
      fields["otherEntries"] = .array(
        otherEntries.map { ["name": .string($0.name), "kind": .string($0.kind.rawValue)] })
    }
    fields["objects"] = Value(objectCount)
    fields["instances"] = Value(instances)
    fields["descriptions"] = Value(descriptions)
    fields["bareValues"] = bareValues.value
    fields["unreachable"] = Value(unreachable)
    fields["depth"] = Value(depth)
    fields["cycles"] = Value(cycles)
    fields["objectsOnCycles"] = Value(objectsOnCycles)
    fields["sharedObjects"] = Value(sharedObjects)
    fields["sharedValues"] = Value(sharedValues)
    fields["classes"] = .array(classes.map(\.value))
    if !hasAllKeys { fields["hasAllKeys"] = false }
    if withGraph { fields["graph"] = graph.value(classes) }
    return .dictionary(fields)
  }
}

extension Inspection.Archive.Root {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["name"] = .string(name)
    fields["kind"] = .string(kind.rawValue)
    fields["class"] = className.map { .string($0) }
    fields["object"] = object.map { Value($0) }
    return .dictionary(fields)
  }
}

extension Inspection.Class {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["name"] = .string(name)
    fields["count"] = Value(count)
    fields["superclasses"] = .array(superclasses.map { .string($0) })
    if !hints.isEmpty { fields["hints"] = .array(hints.map { .string($0) }) }
    fields["keys"] = .array(keys.map(\.value))
    return .dictionary(fields)
  }
}

extension Inspection.Key {
  fileprivate var value: Value {
    var types = KeyedValues()
    for type in self.types { types[type.name] = Value(type.count) }
    return ["name": .string(name), "count": Value(count), "types": .dictionary(types)]
  }
}

extension ObjectGraph {
  fileprivate func value(_ classes: [Inspection.Class]) -> Value {
    let objects = objects.map { object in
      var fields = KeyedValues()
      fields["kind"] = object.kind.map { .string($0.rawValue) }
      fields["class"] = object.classIndex.map { .string(classes[$0].name) }
      if object.isDescription { fields["isDescription"] = true }
      return Value.dictionary(fields)
    }
    var references: [Value] = []
    for object in self.objects.indices {
      for reference in self.references(from: object) {
        references.append([Value(object), Value(reference.object), .string(reference.key)])
      }
    }
    return [
      "roots": .array(roots.map { Value($0) }), "objects": .array(objects), "references": .array(references),
      "isComplete": .boolean(isComplete),
    ]
  }
}

extension Inspection.Values {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["top"] = top.map { .string($0.rawValue) }
    fields["records"] = records.map { Value($0) }
    fields["depth"] = Value(depth)
    fields["kinds"] = kinds.value
    fields["keys"] = .array(keys.map(\.value))
    if !hasAllKeys { fields["hasAllKeys"] = false }
    if !classes.isEmpty { fields["classes"] = .array(classes.map(\.value)) }
    return .dictionary(fields)
  }
}

extension Inspection.Document {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["root"] = .string(root)
    fields["elements"] = Value(elementCount)
    fields["depth"] = Value(depth)
    fields["namespaces"] = .array(
      namespaces.map { ["name": .string($0.name), "prefixes": .array($0.prefixes.map { .string($0) })] })
    fields["names"] = .array(elements.map(\.value))
    if !hasAllNames { fields["hasAllNames"] = false }
    fields["comments"] = Value(comments)
    fields["processingInstructions"] = Value(processingInstructions)
    fields["hasDoctype"] = .boolean(hasDoctype)
    return .dictionary(fields)
  }
}

extension Inspection.Document.Element {
  fileprivate var value: Value {
    [
      "name": .string(name), "count": Value(count),
      "depths": [Value(depths.lowerBound), Value(depths.upperBound)], "withText": Value(withText),
      "attributes": attributes.value { $0 },
    ]
  }
}

extension Inspection.ObjectTable {
  fileprivate var value: Value {
    [
      "objects": Value(objectCount), "offsetWidth": Value(offsetWidth),
      "referenceWidth": Value(referenceWidth),
      "integerWidths": integerWidths.value(String.init), "asciiStrings": Value(asciiStrings),
      "utf16Strings": Value(utf16Strings), "orphans": Value(orphans),
      "sharedCollections": Value(sharedCollections), "cyclicCollections": Value(cyclicCollections),
    ]
  }
}

extension Inspection.Blobs {
  fileprivate var value: Value {
    [
      "count": Value(counts.total), "bytes": Value(byteCount), "kinds": counts.value(\.rawValue),
      "first": .array(first.map(\.value)),
    ]
  }
}

extension Inspection.Blob {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["kind"] = .string(kind.rawValue)
    fields["bytes"] = Value(byteCount)
    fields["path"] = .string(path.description)
    fields["byte"] = location.byte.map { Value($0) }
    fields["inspection"] = inspection?.value()
    return .dictionary(fields)
  }
}

extension Inspection.Warnings {
  fileprivate var value: Value {
    ["count": Value(counts.total), "kinds": counts.value(\.rawValue), "first": .array(first.map(\.value))]
  }
}

extension Inspection.Warning {
  fileprivate var value: Value {
    var fields = KeyedValues()
    fields["kind"] = .string(kind.rawValue)
    fields["code"] = .string(code)
    fields["message"] = .string(message)
    fields["line"] = location.line.map { Value($0) }
    fields["column"] = location.column.map { Value($0) }
    fields["byte"] = location.byte.map { Value($0) }
    fields["object"] = (object ?? location.object).map { Value($0) }
    if !path.isEmpty { fields["path"] = .string(path.description) }
    return .dictionary(fields)
  }
}

extension Inspection.Summary {
  /// The summary as the JSON value that `ferry inspect --summary --json` prints.
  public var value: Value {
    let classes = classes.mostFrequent.map { type -> Value in
      ["name": .string(type.subject), "count": Value(type.count), "files": Value(filesOfClass[type.subject])]
    }
    let warnings = warnings.mostFrequent.map { warning -> Value in
      [
        "kind": .string(warning.subject.rawValue), "code": .string(warning.subject.rawValue),
        "count": Value(warning.count),
        "files": Value(filesOfWarning[warning.subject]),
      ]
    }
    return [
      "files": Value(fileCount), "bytes": Value(byteCount), "failures": Value(failedFileCount),
      "otherFiles": otherFiles.value { $0 }, "formats": formats.value(\.rawValue),
      "archivers": archivers.value { $0 }, "objects": Value(objectCount),
      "filesWithCycles": Value(filesWithCycles), "depth": Value(depth), "classes": .array(classes),
      "nestedFiles": Value(nestedFiles), "blobs": blobs.value(\.rawValue), "warnings": .array(warnings),
    ]
  }
}

extension KindCounts {
  fileprivate var value: Value {
    var fields = KeyedValues()
    for (kind, count) in present { fields[kind.rawValue] = Value(count) }
    return .dictionary(fields)
  }
}

extension Tally {
  fileprivate func value(_ name: (Subject) -> String) -> Value {
    var fields = KeyedValues()
    for (subject, count) in mostFrequent { fields[name(subject)] = Value(count) }
    return .dictionary(fields)
  }
}
