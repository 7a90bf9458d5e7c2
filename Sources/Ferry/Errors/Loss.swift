/// A loss: data that the target of a conversion cannot represent. All losses are reported.
public struct Loss: Hashable, Sendable {
  /// The kind of data.
  public var kind: Kind
  /// The path in the value.
  public var path: ValuePath

  /// Creates a loss at a path.
  public init(_ kind: Kind, path: ValuePath = ValuePath()) {
    self.kind = kind
    self.path = path
  }

  /// The kinds of loss. The raw values are stable identifiers for programs and never change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case dateAsText = "date-as-text"
    case dateRounded = "date-rounded"
    case dataAsText = "data-as-text"
    case dateFraction = "date-fraction"
    case nullLeftOut = "null-left-out"
    case nullAsText = "null-as-text"
    case setAsArray = "set-as-array"
    case className = "class-name"
    case sharedIdentity = "shared-identity"
    case sharedInFull = "shared-in-full"
    case objectKey = "object-key"
    case uidAsDictionary = "uid-as-dictionary"
    case referenceLookalike = "reference-lookalike"
    case typedLookalike = "typed-lookalike"
    case singleWidth = "single-width"
    case numberAsText = "number-as-text"
    case booleanAsText = "boolean-as-text"
    case numberAsReal = "number-as-real"
    case numberNotation = "number-notation"
    case notFinite = "not-finite"
    case nanPayload = "nan-payload"
    case surrogate = "surrogate"
    case duplicateKey = "duplicate-key"
    case emptyCollection = "empty-collection"
    case arrayOfOne = "array-of-one"
    case nestedArray = "nested-array"
    case wrapped = "wrapped"
    case siblingOrder = "sibling-order"
    case mixedContent = "mixed-content"
    case contentForm = "content-form"
    case attributeOrder = "attribute-order"
    case layout = "layout"
    case archiveLayout = "archive-layout"
    case comment = "comment"
    case anchor = "anchor"
    case processingInstruction = "processing-instruction"
    case doctype = "doctype"
    case undeclaredEntity = "undeclared-entity"
    case namespace = "namespace"
    case attribute = "attribute"
    case otherAttribute = "other-attribute"
    case otherText = "other-text"
    case topLevelNames = "top-level-names"
    case archiverName = "archiver-name"
    case classKeys = "class-keys"
    case booleanAsInteger = "boolean-as-integer"
    case notANumber = "not-a-number"
    case negativeZero = "negative-zero"
    case columnType = "column-type"
    case removedByTrigger = "removed-by-trigger"
    case nestedAsText = "nested-as-text"
    case dottedKey = "dotted-key"
    case missingAsNull = "missing-as-null"
    case missingAsEmpty = "missing-as-empty"
    case columnOrder = "column-order"
    case columnNames = "column-names"
    case emptyTable = "empty-table"
    case invalidText = "invalid-text"
    case virtualTable = "virtual-table"
    case tableDefinition = "table-definition"
    case index = "index"
    case view = "view"
    case trigger = "trigger"
    case databaseNumber = "database-number"
    case storeMetadata = "store-metadata"
    case storeTables = "store-tables"
    case storedKeys = "stored-keys"
    case ambiguousColumn = "ambiguous-column"
    case externalData = "external-data"
    case olderKey = "older-key"
    case olderPart = "older-part"
    case takenKey = "taken-key"
    case undeclaredKey = "undeclared-key"
    case newerVersion = "newer-version"
    case packageFile = "package-file"
    case besideRecords = "beside-records"
    case collectionVersion = "collection-version"
    case typeEncoding = "type-encoding"
    /// The XPath of the selection matches no element.
    case nothingSelected = "nothing-selected"
  }
}

extension Loss.Kind {
  /// The kind in words, for messages. The wording may change in any release.
  public var message: String {
    switch self {
    case .dateAsText: "dates become text"
    case .dataAsText: "data becomes Base64 text"
    case .dateRounded: "dates are rounded to about 100 nanoseconds"
    case .dateFraction: "fractions of a second are cut off"
    case .nullLeftOut: "nulls are left out"
    case .nullAsText: "nulls become empty text"
    case .setAsArray: "sets become arrays"
    case .className: "class names are dropped"
    case .sharedIdentity: "shared objects become references by path"
    case .sharedInFull: "shared objects become several equal ones"
    case .objectKey: "keys that are not text become text"
    case .uidAsDictionary: "references of an archive become dictionaries"
    case .referenceLookalike: "dictionaries with only the key CF$UID become references when read back"
    case .typedLookalike:
      "a dictionary with the key $ferry becomes a document in the typed form when read back"
    case .singleWidth: "32-bit reals become 64-bit"
    case .numberAsText: "numbers become text"
    case .booleanAsText: "booleans become text"
    case .numberAsReal: "decimals become the nearest real"
    case .numberNotation: "numbers lose their own notation (as in 2.20, 1e5 or 007)"
    case .notFinite: "NaN and infinities become text"
    case .nanPayload: "NaNs lose their signs and payloads"
    case .surrogate: "unpaired surrogates become U+FFFD"
    case .duplicateKey: "keys occur twice in one dictionary"
    case .emptyCollection: "empty arrays and dictionaries become empty or no elements"
    case .arrayOfOne: "arrays of one element become that element"
    case .nestedArray: "arrays inside arrays become elements with elements <item>"
    case .wrapped: "the value is put into a root element"
    case .siblingOrder: "the order of elements with different names is lost"
    case .mixedContent: "text between elements is put together"
    case .contentForm:
      "lists of contents, or text beside elements, become other lists when they are read back"
    case .attributeOrder: "attributes after the text of an element come before it"
    case .layout: "changes of the layout alone (white space, order and repetition of keys) are left out"
    case .archiveLayout:
      "the archive is written anew (object numbers and the order of keys change, and inline values may become objects)"
    case .comment: "comments are left out"
    case .anchor: "anchors and aliases are left out"
    case .processingInstruction: "processing instructions are left out"
    case .doctype: "the document type declaration is left out"
    case .undeclaredEntity: "references to entities that are declared outside of the document are left out"
    case .namespace: "namespace declarations are left out"
    case .attribute: "attributes are left out"
    case .otherAttribute: "attributes that belong to no record are left out"
    case .otherText: "text that belongs to no record is left out"
    case .topLevelNames: "the names of the archive's top-level values become keys"
    case .archiverName: "the archiver's name is left out"
    case .classKeys: "objects have keys that their classes do not use"
    case .booleanAsInteger: "booleans become 0 and 1"
    case .notANumber: "NaN becomes NULL"
    case .negativeZero: "negative zeros become zeros"
    case .columnType: "values take the type of the table's column"
    case .removedByTrigger: "triggers of the table remove rows while rows are added"
    case .dottedKey: "keys with a dot become columns of nested dictionaries"
    case .nestedAsText: "arrays and dictionaries inside a record become JSON text"
    case .missingAsNull: "missing keys become NULL"
    case .missingAsEmpty: "missing keys become empty cells"
    case .columnNames: "the names of columns are left out, because the table has no rows"
    case .columnOrder: "keys take the order of the table's columns"
    case .emptyTable: "tables without columns are left out"
    case .invalidText: "text that is not UTF-8 is repaired"
    case .virtualTable: "virtual tables are left out"
    case .tableDefinition: "the types, keys and constraints of tables are left out"
    case .index: "indexes are left out"
    case .view: "views are left out"
    case .trigger: "triggers are left out"
    case .databaseNumber: "the application's numbers for the database are left out"
    case .storeMetadata: "the metadata and the model of the Core Data store are left out"
    case .storeTables: "the history of the Core Data store, and tables of no entity, are unchanged"
    case .storedKeys: "numbers that may be keys of other objects stay as they are (the store has no model)"
    case .ambiguousColumn: "attributes that have several columns are put into the first"
    case .externalData: "data in missing files is left out"
    case .olderKey: "values under older keys that differ from the newest are left out"
    case .olderPart: "parts of older values that no field takes are left out"
    case .undeclaredKey: "keys that the schema does not describe"
    case .takenKey: "keys that mean another field in the output are left out"
    case .newerVersion: "records of a newer version become the schema's"
    case .packageFile: "files of the package that no record names are left out"
    case .besideRecords: "values beside the records are left out"
    case .collectionVersion: "the version of the records is left out"
    case .typeEncoding: "the C types of values in objects of unknown classes are left out"
    case .nothingSelected: "no element matches the selection"
    }
  }
}

/// The losses of a conversion.
///
/// All losses are counted by kind. Only the first ones are listed with their paths, so that the list stays
/// small for any input.
public struct Losses: Sendable {
  /// The number of losses of one kind.
  public struct Count: Hashable, Sendable {
    /// The kind of loss.
    public let kind: Loss.Kind
    /// The number of losses of this kind.
    public fileprivate(set) var count: Int
  }

  /// The number of losses of each kind, in the order of first occurrence.
  public fileprivate(set) var counts: [Count] = []
  /// The first losses with their paths.
  public fileprivate(set) var listed: [Loss] = []
  /// The total size of the paths in `listed` in bytes. A long key at the top would occur in many paths.
  private var pathBytes = 0
  private static let mostPathBytes = 8 << 20

  /// True if nothing was lost.
  public var isEmpty: Bool { counts.isEmpty }

  /// Adds a loss. The path is computed only if the loss is listed, which depends on `limit`.
  mutating func add(_ kind: Loss.Kind, limit: Int = 10_000, path: @autoclosure () -> ValuePath) {
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append(Count(kind: kind, count: 1))
    }
    list(Loss(kind, path: path()), limit: limit)
  }

  /// True if no more losses are listed, only counted.
  func isListFull(limit: Int) -> Bool { listed.count >= limit || pathBytes >= Self.mostPathBytes }

  /// Lists a loss. The loss is created only if the list is below its limits.
  private mutating func list(_ loss: @autoclosure () -> Loss, limit: Int) {
    guard !isListFull(limit: limit) else { return }
    let loss = loss()
    pathBytes += loss.path.byteCount
    listed.append(loss)
  }

  /// Adds a step to the beginning of the paths of all losses from an index on.
  mutating func prefix(_ step: ValuePath.Step, from start: Int) {
    for index in listed.indices.dropFirst(start) {
      pathBytes -= listed[index].path.byteCount
      listed[index].path.steps.insert(step, at: 0)
      pathBytes += listed[index].path.byteCount
    }
  }

  /// Adds other losses, with their paths changed by a function.
  mutating func add(
    _ others: Losses, limit: Int = 10_000, path: (ValuePath) -> ValuePath = { $0 }
  ) {
    for other in others.counts {
      if let index = counts.firstIndex(where: { $0.kind == other.kind }) {
        counts[index].count += other.count
      } else {
        counts.append(other)
      }
    }
    for loss in others.listed {
      list(Loss(loss.kind, path: path(loss.path)), limit: limit)
    }
  }
}

/// A collector for the losses in all steps of a conversion.
public final class LossReport {
  /// The losses so far, as a value.
  public private(set) var all = Losses()
  private let limit: Int

  /// Creates an empty report that lists at most `limit` losses.
  public init(limit: Int = 10_000) { self.limit = limit }

  /// The number of losses of each kind, in the order of first occurrence.
  public var counts: [Losses.Count] { all.counts }
  /// The first losses with their paths.
  public var losses: [Loss] { all.listed }
  /// The number of losses in `losses`.
  var listedCount: Int { all.listed.count }
  /// True if nothing was lost.
  public var isEmpty: Bool { all.isEmpty }
  /// True if no more losses are listed, only counted.
  var isListFull: Bool { all.isListFull(limit: limit) }

  /// Adds the losses of another report.
  public func add(_ losses: Losses) { all.add(losses, limit: limit) }

  /// Adds the losses in a part of the value. `steps`, the path of the part, is added to their paths.
  func add(_ losses: Losses, under steps: [ValuePath.Step]) {
    add(losses) { ValuePath(steps + $0.steps) }
  }

  /// Adds the losses of another report, with their paths changed by a function.
  func add(_ losses: Losses, path: (ValuePath) -> ValuePath) { all.add(losses, limit: limit, path: path) }

  /// Removes and returns the losses so far.
  func take() -> Losses {
    defer { all = Losses() }
    return all
  }

  /// Adds a step to the beginning of the paths of the listed losses from an index on.
  func prefix(_ step: @autoclosure () -> ValuePath.Step, from start: Int) {
    if all.listed.count > start { all.prefix(step(), from: start) }
  }

  /// Adds a loss. The path is computed only if the loss is listed.
  public func add(_ kind: Loss.Kind, path: @autoclosure () -> ValuePath = ValuePath()) {
    all.add(kind, limit: limit, path: path())
  }
}
