extension EditableFile {
  /// Decodes the value at a path, with the changes made so far, as `FerryDecoder` decodes it from a file.
  ///
  ///     let file = try EditableFile(path: "state.archive")
  ///     let ada = try file.decode(Person.self, at: "people[0]")
  ///     let size = try file.decode(Int.self, at: "window.width")
  ///
  /// The file is read once, when it is opened, so that many values can be decoded. Of an archive or a binary property list, only the
  /// objects that the type asks for are read, as `value(at:)` reads them. A path may continue into data that contains a file.
  ///
  /// The options for opening the file determine the meaning of its contents, and those in `decoder.reading` have no effect, apart from the
  /// budget. In a typedstream, set `Options.shared` to `inFull` to decode objects that occur several times. In XML, set `Options.xml` to its
  /// `forContents` to decode elements of several names in their order.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - path: The path of the value; empty for all of the file. It must not match several values.
  ///   - decoder: The relation between keys, the meaning of dates, and the class names of types.
  /// - Throws: A `DecodingError` with the coding path inside the value. Its `underlyingError` is a `FerryError`: with a `PathProblem` as its
  ///   reason and the part of the path that exists if there is no value at the path, and with the source location for objects of an archive.
  public func decode<T: Decodable>(
    _ type: T.Type, at path: ValuePath = ValuePath(), using decoder: FerryDecoder = FerryDecoder()
  ) throws -> T {
    do { return try decodeValue(type, at: path, using: decoder) } catch let error as DecodingError {
      throw error.placed(inFile: filePath)
    }
  }

  private func decodeValue<T: Decodable>(
    _ type: T.Type, at path: ValuePath, using decoder: FerryDecoder
  ) throws -> T {
    let match: Match
    do throws(FerryError) {
      match = try onlyMatch(of: path)
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    if let archive = match.file.archive, match.location.inner.isEmpty {
      return try ArchiveDecoding(archive, decoder.archiveDecoder)
        .decode(type, at: ArchivedLocation(node: match.location.node))
    }
    return try match.file.decode(type, atPart: match, using: decoder)
  }

  /// Returns the value that a path matches.
  private func onlyMatch(of path: ValuePath) throws(FerryError) -> Match {
    let found = try matches(of: [path])
    guard !found.isSeveral, let match = found.matches.first else {
      throw FerryError(.path(.severalValues))
    }
    return match
  }

  /// Decodes a value that is not an object of an archive: one of another format, or a part of an object's decoded form.
  private func decode<T: Decodable>(
    _ type: T.Type, atPart match: Match, using decoder: FerryDecoder
  ) throws -> T {
    let builder = ValueBuilder()
    let (value, role): (Value, CodedValue.Role)
    do throws(FerryError) {
      try send(match.location, into: builder)
      (value, role) = (try builder.result(), try self.role(ofValueAt: match.path))
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    var decoder = decoder
    // The file was read with the options for opening it, so those of the decoder do not tell the order and the names of elements.
    let xml = options.xml.forPaths(findsTypes: options.findsTypes)
    (decoder.reading.xml.order, decoder.reading.xml.namespaces) = (xml.order, xml.namespaces)
    let path = ValuePath(Array(match.path.steps.dropFirst(outerPath.steps.count)))
    let decoding = ValueDecoding(
      decoder, of: archive == nil ? format : nil,
      .known { prefix throws(FerryError) in try self.namespace(of: prefix, around: path) })
    return try decoding.decode(type, CodedValue(value, role))
  }

  /// Returns the role of a value in the file: all of it, a row of a table, or another part.
  private func role(ofValueAt path: ValuePath) throws(FerryError) -> CodedValue.Role {
    // The path of a value in data begins with the path of the data.
    switch path.steps.dropFirst(outerPath.steps.count).first {
    case nil:
      let hasRoot = format.recordDialect.hasElements ? try hasRootElement() : false
      return format.roleOfValue(isWrapped: !hasRoot)
    case .index? where path.steps.count == outerPath.steps.count + 1:
      return format.roleOfRecord(isListed: true, isWrapped: false)
    default: return .value
    }
  }
}

extension KeyedArchive {
  /// Decodes the value at a path, with the changes made so far.
  ///
  ///     struct Person: Decodable {
  ///       var first: String
  ///       var last: String
  ///     }
  ///     let archive = try KeyedArchive(path: "people.pplgrp")
  ///     let matt = try archive.decode(Person.self, at: "[0]")      // Person(first: "Matt", last: "Neuburg")
  ///     let all = try archive.decode([Person].self)
  ///
  /// The archive is opened once, and only the objects that the type asks for are read, so that one value of a large archive is decoded
  /// in the time of one value.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - path: The path of the value; empty for the root object. In an archive with several roots, it begins with the name of one.
  ///   - decoder: The class names and archived keys of types, and the budget.
  /// - Throws: A `DecodingError` with the coding path inside the value. Its `underlyingError` is a `FerryError` with the source location, or
  ///   with a `PathProblem` as its reason if there is no value at the path.
  public func decode<T: Decodable>(
    _ type: T.Type, at path: ValuePath = ValuePath(),
    using decoder: KeyedArchiveDecoder = KeyedArchiveDecoder()
  ) throws -> T {
    var coder = FerryDecoder(classes: decoder.classes)
    (coder.reading.budget, coder.userInfo) = (decoder.budget, decoder.userInfo)
    return try file.decode(type, at: path, using: coder)
  }
}
