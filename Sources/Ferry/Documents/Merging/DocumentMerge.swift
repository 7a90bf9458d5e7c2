/// Merges two changed versions of a document, whatever their formats.
///
///     let merge = DocumentMerge()
///     let ours = try merge.read(oursBytes)
///     let theirs = try merge.read(theirsBytes, as: ours)
///     let base = try merge.read(baseBytes, as: ours)
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.bytes           // the merged document, in the format of ours
///
/// Versions of one kind are compared as they are, so that nothing of an archive is lost, not even what no schema knows.
/// When they are of different kinds, or a schema is given, a schema makes one kind of them: that of ours.
public struct DocumentMerge: Sendable {
  /// How records look; nil to use a built-in schema where our version is of one.
  public var schema: Schema?
  /// The field that tells records apart; nil to take the schema's, or to find one. See `Merge.key`.
  public var key: String?
  /// The side that has its way in conflicts; ours unless given.
  public var favored: MergeSide?
  /// The format of all versions, where their content does not tell.
  public var source: Format?
  /// Whether built-in schemas are looked for when none is given.
  public var matchesSchemas = true
  /// Whether records of a newer version than the schema knows are read.
  public var readsNewerVersions = false
  public var budget = Budget()

  /// A merge that finds everything out by itself.
  public init() {}

  /// A version that has been read.
  public struct Version: Sendable {
    /// The format as it was found.
    public let format: Format
    /// The schema that is given, or fits.
    public let schema: Schema?
    /// What is in it, in the shape of our version.
    public let value: Value
    /// The file.
    public let bytes: [UInt8]
    fileprivate let isMapped: Bool
  }

  /// What came of a merge.
  public struct Result: Sendable {
    /// The merged document.
    public let bytes: [UInt8]
    /// The same as a value.
    public let value: Value
    /// The places that both sides have changed, each in its own way; in the document one side has its way.
    public let conflicts: [MergeConflict]
  }

  // MARK: Reading

  /// Reads a version: ours, or another in the shape of ours. An empty file is no version, which a base may be.
  ///
  /// - Throws: what is wrong with the file, with its place.
  public func read(_ bytes: [UInt8], named name: String? = nil, as ours: Version? = nil) throws(Failure) -> Version {
    let head = Array(bytes.prefix(FormatDetector.headSize))
    let found: Format
    if let source { found = source } else { found = try FormatDetector(head: head, name: name).detect() }
    var conversion = conversion(to: .archive)
    conversion.source = source
    conversion.isForCaller = true
    let input = try SourceInput(
      MemoryInput(bytes), format: found, isGiven: source != nil, head: head, conversion)
    let schema = try schema(for: input, named: name) ?? ours?.schema
    let target = ours?.format ?? input.format
    let isMapped =
      schema != nil && (self.schema != nil || input.format == .xml || target.kind != input.format.kind)
    let builder = ValueBuilder()
    var sink: any ValueSink = builder
    if isMapped, let schema {
      sink = RecordMapper(
        schema, from: input.format.recordDialect, to: target.recordDialect, into: builder,
        options: conversion.recordOptions, losses: LossReport())
    }
    try input.send(
      into: sink, schema: isMapped ? schema : nil, losses: LossReport(), conversion, meanings: .scalars)
    try sink.finish()
    return Version(
      format: input.format, schema: schema, value: try builder.result(), bytes: bytes, isMapped: isMapped)
  }

  private func schema(for input: SourceInput, named name: String?) throws(Failure) -> Schema? {
    if let schema { return schema }
    guard matchesSchemas else { return nil }
    if let found = try input.matchingSchema() { return found }
    guard let name, let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
  }

  private func conversion(to target: Format) -> Conversion {
    var conversion = Conversion(to: target)
    conversion.schema = schema
    conversion.readsNewerVersions = readsNewerVersions
    conversion.budget = budget
    return conversion
  }

  // MARK: Merging

  /// Merges two versions and the one that both began with; nil when they began with nothing.
  ///
  /// A result that is the same as one of the versions has that version's bytes, unless both are of different formats.
  ///
  /// - Throws: which version is at fault, and how: records without a key, or two with the same one; a value that the
  ///   format of ours cannot hold.
  public func merge(base: Version?, ours: Version, theirs: Version) throws(MergeFailure) -> Result {
    var merge = Merge()
    merge.key = key
    merge.favored = favored
    merge.depth = budget.depth
    if let schema = ours.schema ?? theirs.schema {
      merge.record = schema.record
      merge.usesArchiveKeys = ours.format.recordDialect.usesArchiveKeys
    }
    let merged = try merge.merge(base: base?.value, ours: ours.value, theirs: theirs.value)
    do throws(Failure) {
      return Result(
        bytes: try bytes(of: merged.value, ours, theirs), value: merged.value, conflicts: merged.conflicts)
    } catch {
      throw MergeFailure(side: .ours, failure: error)
    }
  }

  private func bytes(of value: Value, _ ours: Version, _ theirs: Version) throws(Failure) -> [UInt8] {
    if value == ours.value, !ours.isMapped || schema == nil { return ours.bytes }
    if value == theirs.value, theirs.format == ours.format, !theirs.isMapped || schema == nil { return theirs.bytes }
    return try written(value, like: ours)
  }

  /// The file of a value, in a version's format.
  private func written(_ value: Value, like version: Version) throws(Failure) -> [UInt8] {
    guard version.format.canWrite else { throw Failure(.file(.notWritten(version.format.rawValue))) }
    var conversion = conversion(to: version.format)
    conversion.schema = version.format == .xml ? version.schema : nil
    conversion.isPretty = version.format == .json && version.bytes.contains(UInt8(ascii: "\n"), inFirst: 4096)
    let output = MemoryOutput()
    let isArchived = version.format.isArchive
    try conversion.write(to: output, losses: LossReport(), isArchived: isArchived) { sink throws(Failure) in
      try value.replay(into: sink)
    }
    return output.bytes
  }
}

extension Format {
  /// Formats of one kind show the same values alike.
  fileprivate enum Kind { case archive, propertyList, json, xml }

  fileprivate var kind: Kind {
    switch self {
    case .archive, .xmlArchive, .typedstream: .archive
    case .xmlPropertyList, .binaryPropertyList: .propertyList
    case .json, .jsonLines: .json
    case .xml: .xml
    }
  }
}

extension [UInt8] {
  /// Whether a byte occurs near the beginning, with something behind it.
  fileprivate func contains(_ byte: UInt8, inFirst count: Int) -> Bool {
    guard let place = prefix(count).firstIndex(of: byte) else { return false }
    return self[place...].contains { $0 > 0x20 }
  }
}
