/// The choice of a writer for the target of a conversion.
struct WriterChoice {
  let conversion: Conversion
  /// The schema of the records that are written.
  let schema: Schema?
  /// The properties of the values that are written.
  let source: SourceFacts
  let losses: LossReport
  /// The name of an Xcode project, if that is written.
  let projectName: String?
  /// True if adapters of a caller change the records.
  let hasAdapters: Bool

  private var writing: WritingOptions { conversion.writing }

  /// Returns the writer to an output.
  ///
  /// - Throws: A `FerryError` if the target is not written, or not in the representation of the conversion.
  func writer(to output: any ByteOutput) throws(FerryError) -> any ValueSink {
    let (target, isTyped) = (writing.format, writing.representation == .typed)
    switch target.description.writer {
    case .values
    where isTyped && !target.isBinaryPropertyList && !target.isSingle && target.description.typedSyntax == nil:
      throw FerryError(.typed(.noTypedForm(target.rawValue)))
    case .values(let makeWriter):
      let context = WriterContext(
        style: writing.style, holdsArchive: source.isArchive, projectName: projectName, losses: losses,
        hasRootElement: source.format.isOfElements, documents: source.documents)
      let writer = try makeWriter(output, context)
      let isRaw = writing.representation == .raw
      return source.isArchive && isRaw ? archived(writer) : writer
    case .archive:
      guard case .values(let makeWriter) = target.asPropertyList.description.writer else { break }
      return archive(by: try makeWriter(output, WriterContext(holdsArchive: true)))
    case .elements where isTyped:
      return try JSONElementsWriter(to: output, indentation: writing.style.indentation ?? .spaces(2))
    case .elements: return try elements(to: output)
    case .rows where isTyped: throw FerryError(.csv(.onlyPlain))
    case .rows(let makeWriter): return try makeWriter(output, rows)
    case .tables, nil: break
    }
    throw FerryError(.file(.notWritten(target.rawValue)))
  }

  /// Returns the writer of an archive, before a writer of the property list that stores it.
  private func archive(by writer: any ValueSink) -> any ValueSink {
    guard writing.representation == .raw else { return archiveWriter(writer) }
    let ordered = archived(writer)
    return source.isArchive ? ordered : RawArchiveCheck(to: ordered)
  }

  /// Returns the writer of an XML document.
  private func elements(to output: any ByteOutput) throws(FerryError) -> any ValueSink {
    let indentation = writing.style.indentation ?? .spaces(2)
    let names = XMLListNames(writing)
    if let schema {
      return try XMLRecordWriter(
        schema, to: output, indentation: indentation, losses: losses, keepsNames: source.keepsNames,
        reportsForms: writing.xml.reportsForms)
    }
    switch writing.xml.convention {
    case .ferry:
      return try XMLValueWriter(
        to: output, names: names, indentation: indentation, types: writing.xml.types,
        hasExpandedNames: writing.xml.hasExpandedNames, reportsForms: writing.xml.reportsForms,
        losses: losses)
    case .jsonml: return try JsonMLWriter(to: output, losses: losses)
    case .parker: throw FerryError(.xml(.readOnlyConvention(writing.xml.convention.rawValue)))
    case .badgerfish, .xmltodict:
      return try ConventionWriter(
        writing.xml.convention, to: output, names: names, indentation: indentation, losses: losses)
    }
  }

  /// The rows of a table.
  private var rows: RowsContext {
    let fields = schema.map { Self.columns(of: $0.record, isDotted: conversion.writesDottedColumns) } ?? []
    let mayTakeFirstRow = schema == nil && !hasAdapters && !conversion.infersSchema
    return RowsContext(
      layout: writing.csv, fields: fields, hasColumnsOfFields: conversion.mappedRows != .ofTable,
      hasColumnsOfFirstRow: source.hasEqualRows && mayTakeFirstRow && !conversion.reading.expandsData
        && !writing.csv.nestsDottedColumns,
      isUntyped: source.isUntyped(conversion),
      losses: losses, budget: conversion.reading.budget
    ) { () throws(FerryError) in try source.columns(nil) }
  }

  /// Returns the fields of records as columns. Those of nested records are columns such as `address.city` if a table has them.
  private static func columns(of type: RecordType, isDotted: Bool) -> [RowsContext.Field] {
    type.fields.flatMap { field -> [RowsContext.Field] in
      if isDotted, case .record(let nested) = field.type {
        return columns(of: nested, isDotted: true).map { column in
          RowsContext.Field(
            name: "\(field.name).\(column.name)", restoresTypes: column.restoresTypes,
            mayBeEmptyOrMissing: column.mayBeEmptyOrMissing, hasDividedKey: column.hasDividedKey)
        }
      }
      return [
        RowsContext.Field(
          name: field.name, restoresTypes: field.type != .any,
          mayBeEmptyOrMissing: field.type.canBeEmptyText && !field.takesNullAsEmptyText,
          hasDividedKey: isDotted && field.name.utf8.contains(UInt8(ascii: ".")))
      ]
    }
  }

  /// Returns the writer of an archive's objects. Values from an archive or a typedstream already use archived keys.
  private func archiveWriter(_ writer: any ValueSink) -> any ValueSink {
    var (storage, top) = (writing.archivedStorage, writing.archiveTop)
    if let archive = source.wholeArchive {
      let names = ArchivedNames(schema, renaming: .init(exactly: conversion.classNames))
      storage.add(ArchivedStorage(of: archive).renamed(names.newKeys))
      top = ArchiveTop(of: archive)
    }
    let format = writing.format
    let archive = ArchiveWriter(
      to: writer, keyOrder: format.sortsKeys ? .sorted : .buckets, catalog: conversion.reading.catalog,
      decodedForms: source.format.description.shape == .objects ? .scalars : .all,
      storage: storage, top: top)
    return format.description.declaresEncoding ? XMLCharacterCheck(to: archive) : archive
  }

  /// Returns the sink for the raw property list of an archive. In an archive that comes from an XML property
  /// list, keys are sorted because Apple sorts them, so their original order is lost. The binary file gets
  /// the order in which an archiver on a Mac would write them.
  private func archived(_ writer: any ValueSink) -> any ValueSink {
    guard writing.ordersArchivedKeys, writing.format.isBinaryPropertyList,
      source.format.description.sortsKeys
    else {
      return writer
    }
    return KeySorter(to: writer, order: .archived)
  }
}

extension XMLListNames {
  /// Creates the names that the options give.
  fileprivate init(_ writing: WritingOptions) {
    (givenRoot, givenItem) = (writing.rootElement, writing.itemElement)
    (reportsRoot, rootIsKey) = (writing.xml.reportsRoot, writing.xml.rootIsKey)
    declarations = writing.xml.declarations
  }
}
