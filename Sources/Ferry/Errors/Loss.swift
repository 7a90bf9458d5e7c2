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
    /// A date became text in ISO 8601, because the format has no dates.
    case dateAsText = "date-as-text"
    /// A date lost what is finer than about 100 nanoseconds.
    case dateRounded = "date-rounded"
    /// Data became text in Base64, because the format has no data.
    case dataAsText = "data-as-text"
    /// A date lost its fraction of a second.
    case dateFraction = "date-fraction"
    /// An entry or element was left out, because the format has no null.
    case nullLeftOut = "null-left-out"
    /// A null became an empty text.
    case nullAsText = "null-as-text"
    /// A set became an array.
    case setAsArray = "set-as-array"
    /// The class of an object was left out; its content is kept.
    case className = "class-name"
    /// An object with several references is written once, and as paths elsewhere.
    case sharedIdentity = "shared-identity"
    /// An object with several references was written for each of them.
    case sharedInFull = "shared-in-full"
    /// A key that is not a string became text.
    case objectKey = "object-key"
    /// A reference by object number became a dictionary with the key `CF$UID`.
    case uidAsDictionary = "uid-as-dictionary"
    /// A dictionary that looks like a reference (`CF$UID`) will be read as one.
    case referenceLookalike = "reference-lookalike"
    /// A dictionary with the key `$ferry` will be read as a document in the typed form.
    case typedLookalike = "typed-lookalike"
    /// A 32-bit real became a 64-bit real of the same value.
    case singleWidth = "single-width"
    /// A number became text.
    case numberAsText = "number-as-text"
    /// A boolean became text.
    case booleanAsText = "boolean-as-text"
    /// A decimal became the nearest 64-bit real.
    case numberAsReal = "number-as-real"
    /// A number kept its value and lost its notation, such as `2.20` or `1e5`.
    case numberNotation = "number-notation"
    /// NaN or an infinity became text.
    case notFinite = "not-finite"
    /// A NaN lost its sign and its payload.
    case nanPayload = "nan-payload"
    /// An unpaired surrogate became U+FFFD.
    case surrogate = "surrogate"
    /// A key occurs twice in a dictionary. The formats that cannot repeat it keep the last value.
    case duplicateKey = "duplicate-key"
    /// An empty array or dictionary became an empty element, or none.
    case emptyCollection = "empty-collection"
    /// An array of one element became one XML element, which will be read as that element.
    case arrayOfOne = "array-of-one"
    /// An array in an array became elements with the name `item`.
    case nestedArray = "nested-array"
    /// The value was put into a root element, whose name it did not have.
    case wrapped = "wrapped"
    /// The keys and the list around a single text or picture were left out, unless they are elements of XML.
    case unwrapped = "unwrapped"
    /// The order of elements with different names was lost.
    case siblingOrder = "sibling-order"
    /// The pieces of text between elements were put together.
    case mixedContent = "mixed-content"
    /// The white space around the text of an element was left out, or will be by the reader of the convention.
    case space = "space"
    /// Contents of an element in XML will be read as another list of contents.
    case contentForm = "content-form"
    /// A key that is not a name of XML became an escaped name, which the reader of the convention does not know.
    case keyName = "key-name"
    /// A value in XML will be read as another form of the convention.
    case conventionForm = "convention-form"
    /// An attribute moved from after text or elements to before them.
    case attributeOrder = "attribute-order"
    /// A change that concerns only white space, order or repetition was not made.
    case layout = "layout"
    /// A text was written anew after a change: its layout, and the notation of its scalars, may be others.
    case textLayout = "text-layout"
    /// Values that a binary file stores in an unusual way were stored in the usual way, because a value has changed.
    case storedBytes = "stored-bytes"
    /// The archive was written anew, with other object numbers.
    case archiveLayout = "archive-layout"
    /// A comment was left out.
    case comment = "comment"
    /// An anchor or an alias of YAML was left out; its value is kept.
    case anchor = "anchor"
    /// A tag of YAML's own, such as `!!float`, was left out, because the value has another type.
    case typeTag = "type-tag"
    /// A processing instruction of XML was left out.
    case processingInstruction = "processing-instruction"
    /// The document type declaration of XML was left out.
    case doctype = "doctype"
    /// A reference to an entity that is declared outside of the document was left out.
    case undeclaredEntity = "undeclared-entity"
    /// A namespace declaration was left out.
    case namespace = "namespace"
    /// A text or an attribute of XML contains a prefix whose declaration was left out.
    case contentPrefix = "content-prefix"
    /// An attribute of XML was left out.
    case attribute = "attribute"
    /// An attribute that belongs to no record of the schema was left out.
    case otherAttribute = "other-attribute"
    /// Text that belongs to no record of the schema was left out.
    case otherText = "other-text"
    /// The names of an archive's top-level values became keys.
    case topLevelNames = "top-level-names"
    /// The name of the class that wrote the archive was left out.
    case archiverName = "archiver-name"
    /// An entry of an archive beside those of every archive (`$objects`, `$top` …) was left out.
    case archiveEntry = "archive-entry"
    /// An object has keys that its class does not use.
    case classKeys = "class-keys"
    /// A boolean became 0 or 1.
    case booleanAsInteger = "boolean-as-integer"
    /// NaN became NULL in a database.
    case notANumber = "not-a-number"
    /// A negative zero became zero.
    case negativeZero = "negative-zero"
    /// A value took the type of its column in a database.
    case columnType = "column-type"
    /// A trigger of the database removed rows while rows were added.
    case removedByTrigger = "removed-by-trigger"
    /// An array or a dictionary in a record became text in JSON.
    case nestedAsText = "nested-as-text"
    /// A key with a dot, or an empty key in a nested dictionary, will be read as other keys.
    case dottedKey = "dotted-key"
    /// A column with a dot in its name is read as one key and not as an entry of a dictionary, because another column has the name of
    /// the dictionary.
    case undividedColumn = "undivided-column"
    /// A key that a record lacks became NULL.
    case missingAsNull = "missing-as-null"
    /// A key that a record lacks became an empty cell.
    case missingAsEmpty = "missing-as-empty"
    /// A key of a new row that no column has became a column of the edited table.
    case addedColumn = "added-column"
    /// An empty text in a table of one column, or of an element, is read as a missing value or null.
    case emptyText = "empty-text"
    /// A text that is an array or a dictionary in JSON is read as such.
    case jsonLookalike = "json-lookalike"
    /// The keys of a record took the order of the columns.
    case columnOrder = "column-order"
    /// The names of the columns were left out, because there are no rows.
    case columnNames = "column-names"
    /// A table without columns was left out.
    case emptyTable = "empty-table"
    /// Text of a database that is not UTF-8 was repaired with U+FFFD.
    case invalidText = "invalid-text"
    /// A virtual table of a database was left out.
    case virtualTable = "virtual-table"
    /// The types, keys and constraints of a table were left out.
    case tableDefinition = "table-definition"
    /// An index of a database was left out.
    case index = "index"
    /// A view of a database was left out.
    case view = "view"
    /// A trigger of a database was left out.
    case trigger = "trigger"
    /// The application's identifier or version number of a database was left out.
    case databaseNumber = "database-number"
    /// The metadata and the model of a Core Data store were left out.
    case storeMetadata = "store-metadata"
    /// The history and other tables of a Core Data store were not changed.
    case storeTables = "store-tables"
    /// Numbers that may refer to other objects stayed numbers, because the Core Data store has no model.
    case storedKeys = "stored-keys"
    /// An attribute that has several columns in a Core Data store was put into the first.
    case ambiguousColumn = "ambiguous-column"
    /// Data of a Core Data store in a file that is missing was left out.
    case externalData = "external-data"
    /// A value under an older name of a field was left out, because the newest name has another value.
    case olderKey = "older-key"
    /// A part of an older version's value was left out, because no field takes it.
    case olderPart = "older-part"
    /// A key was left out, because it means another field in the output.
    case takenKey = "taken-key"
    /// The schema does not describe a key.
    case undeclaredKey = "undeclared-key"
    /// A record of a newer version became one of the schema's version.
    case newerVersion = "newer-version"
    /// A file of a package was left out: no record names it, or the output is in the typed or the raw form.
    case packageFile = "package-file"
    /// A value beside the list of records was left out.
    case besideRecords = "beside-records"
    /// The version of the list of records was left out.
    case collectionVersion = "collection-version"
    /// The files of a ZIP archive have changed, and its signature has not.
    case archiveSignature = "archive-signature"
    /// The C type of a value in an object of an unknown class was left out.
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
    case .unwrapped: "the keys and lists around the value are left out"
    case .siblingOrder: "the order of elements with different names is lost"
    case .mixedContent: "text between elements is put together"
    case .space: "white space around text is left out by the convention"
    case .contentForm:
      "lists of contents, or text beside elements, become other lists when they are read back"
    case .keyName: "keys that are not names in XML become escaped names"
    case .conventionForm: "values take another form of the convention when they are read back"
    case .attributeOrder: "attributes after the contents of an element come before them"
    case .layout: "changes of the layout alone (white space, order and repetition of keys) are left out"
    case .textLayout:
      "the text is written anew (white space, quotation marks and the notation of numbers may change)"
    case .storedBytes: "values that the file stores in an unusual way are stored in the usual way"
    case .archiveLayout:
      "the archive is written anew (object numbers and the order of keys change, and inline values may become objects)"
    case .comment: "comments are left out"
    case .anchor: "anchors and aliases are left out"
    case .typeTag: "type tags that do not fit the value are left out"
    case .processingInstruction: "processing instructions are left out"
    case .doctype: "the document type declaration is left out"
    case .undeclaredEntity: "references to entities that are declared outside of the document are left out"
    case .namespace: "namespace declarations are left out"
    case .contentPrefix: "prefixes in texts and attributes lose their namespaces"
    case .attribute: "attributes are left out"
    case .otherAttribute: "attributes that belong to no record are left out"
    case .otherText: "text that belongs to no record is left out"
    case .topLevelNames: "the names of the archive's top-level values become keys"
    case .archiverName: "the archiver's name is left out"
    case .archiveEntry: "entries of the archive beside its objects are left out"
    case .classKeys: "objects have keys that their classes do not use"
    case .booleanAsInteger: "booleans become 0 and 1"
    case .notANumber: "NaN becomes NULL"
    case .negativeZero: "negative zeros become zeros"
    case .columnType: "values take the type of the table's column"
    case .removedByTrigger: "triggers of the table remove rows while rows are added"
    case .dottedKey: "keys with a dot and empty keys become parts of the names of columns"
    case .undividedColumn:
      "columns with a dot are read as one key, because another column has the name of the dictionary"
    case .nestedAsText: "arrays and dictionaries inside a record become JSON text"
    case .missingAsNull: "missing keys become NULL"
    case .missingAsEmpty: "missing keys become empty cells"
    case .addedColumn: "keys of a new row become columns of the table"
    case .emptyText: "empty texts in a table of one column, or in elements, become missing values or null"
    case .jsonLookalike: "texts that are arrays or dictionaries in JSON are read as such"
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
    case .packageFile: "files of the package that are in no record are left out"
    case .besideRecords: "values beside the records are left out"
    case .collectionVersion: "the version of the records is left out"
    case .archiveSignature: "the signature of the archive is that of the files before the change"
    case .typeEncoding: "the C types of values in objects of unknown classes are left out"
    case .nothingSelected: "no element matches the selection"
    }
  }
}

/// The losses of a conversion.
///
/// All losses are counted by kind. Only the first ones are listed with their paths, so that the list stays
/// small for any input.
public struct Losses: Hashable, Sendable {
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
  /// True if no element matches a selection.
  package var hasEmptySelection: Bool { counts.contains { $0.kind == .nothingSelected } }

  /// Adds a loss. The path is computed only if the loss is listed, which depends on `limit`.
  mutating func add(
    _ kind: Loss.Kind, count: Int = 1, limit: Int = 10_000, path: @autoclosure () -> ValuePath
  ) {
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count = counts[index].count.addingClamped(count)
    } else {
      counts.append(Count(kind: kind, count: count))
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

  /// Returns the losses of some kinds.
  func filtered(_ isKept: (Loss.Kind) -> Bool) -> Losses {
    var kept = Losses()
    kept.counts = counts.filter { isKept($0.kind) }
    for loss in listed where isKept(loss.kind) { kept.list(loss, limit: .max) }
    return kept
  }

  /// Returns the losses without the listed ones for which a function returns false. Losses that are only counted stay.
  fileprivate func keeping(_ isKept: (Loss) -> Bool) -> Losses {
    var kept = self
    (kept.listed, kept.pathBytes) = ([], 0)
    for loss in listed {
      if isKept(loss) {
        kept.list(loss, limit: .max)
      } else if let index = kept.counts.firstIndex(where: { $0.kind == loss.kind }) {
        kept.counts[index].count -= 1
      }
    }
    kept.counts.removeAll { $0.count == 0 }
    return kept
  }

  /// Adds other losses, with their paths changed by a function.
  mutating func add(
    _ others: Losses, limit: Int = 10_000, path: (ValuePath) -> ValuePath = { $0 }
  ) {
    for other in others.counts {
      if let index = counts.firstIndex(where: { $0.kind == other.kind }) {
        counts[index].count = counts[index].count.addingClamped(other.count)
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
  private var own = Losses()
  private let limit: Int
  /// The report that gets all losses in place of this one, with the changed paths; nil for a report of its own.
  private let target: (report: LossReport, pathInTarget: (ValuePath) -> ValuePath)?
  /// Returns true for the losses that the other report gets; nil if it gets all.
  private let isKept: ((Loss) -> Bool)?
  /// Returns true for the kinds of losses that are listed up to `limit`.
  private let lists: (Loss.Kind) -> Bool
  /// The number of listed losses after which the other kinds are only counted.
  private let limitOfOthers: Int
  /// Returns true for a loss of a listed kind that is found beyond the list, too; nil to find none.
  private let isSought: ((Loss) -> Bool)?
  /// The first loss that is sought and not listed.
  private var unlisted: Loss?

  /// Creates an empty report that lists at most `limit` losses.
  public convenience init(limit: Int = 10_000) { self.init(limit: limit) { _ in true } }

  /// Creates an empty report that lists the losses of some kinds, so that others do not fill the list.
  ///
  /// - Parameters:
  ///   - limitOfOthers: The number of listed losses up to which losses of other kinds are listed, too.
  ///   - isSought: Returns true for the losses that `firstSought` is the first of. They are of kinds that are listed.
  init(
    limit: Int = 10_000, limitOfOthers: Int = 0, seeking isSought: ((Loss) -> Bool)? = nil,
    listing lists: @escaping (Loss.Kind) -> Bool
  ) {
    (self.limit, self.limitOfOthers, self.lists, target) = (limit, limitOfOthers, lists, nil)
    (self.isSought, isKept) = (isSought, nil)
  }

  /// Creates a report that adds its losses to another one, with their paths changed by a function.
  init(to report: LossReport, path: @escaping (ValuePath) -> ValuePath) {
    (limit, limitOfOthers, lists) = (report.limit, report.limitOfOthers, report.lists)
    target = (report, path)
    (isSought, isKept) = (nil, nil)
  }

  /// Creates a report for the value at a path, which adds its losses to the report for the value around it.
  convenience init(to report: LossReport, inside path: ValuePath) {
    self.init(to: report) { path.appending($0.steps[...]) }
  }

  /// Creates a report that adds those of its losses to another one for which a function returns true.
  init(forwardingTo report: LossReport, keeping isKept: @escaping (Loss) -> Bool) {
    (limit, limitOfOthers, lists) = (report.limit, report.limitOfOthers, report.lists)
    target = (report, { $0 })
    (isSought, self.isKept) = (nil, isKept)
  }

  /// The losses so far, as a value.
  public var all: Losses { target?.report.all ?? own }

  /// The first loss that is sought, also if the list has no room for it; nil if there is none.
  var firstSought: Loss? { isSought.flatMap { own.listed.first(where: $0) } ?? unlisted }

  /// Keeps a loss that is sought if the list may have no room for it.
  private func keepSought(_ loss: @autoclosure () -> Loss) {
    guard unlisted == nil, let isSought, isListFull else { return }
    let loss = loss()
    if isSought(loss) { unlisted = loss }
  }

  /// Returns the path that a loss with a path gets.
  func placed(_ path: ValuePath) -> ValuePath { target?.pathInTarget(path) ?? path }

  /// The number of losses of each kind, in the order of first occurrence.
  public var counts: [Losses.Count] { all.counts }
  /// The first losses with their paths.
  public var losses: [Loss] { all.listed }
  /// The number of losses in `losses`.
  var listedCount: Int { all.listed.count }
  /// True if nothing was lost.
  public var isEmpty: Bool { all.isEmpty }
  /// True if no element matches a selection.
  var hasEmptySelection: Bool { all.hasEmptySelection }
  /// True if no more losses are listed, only counted.
  var isListFull: Bool { all.isListFull(limit: limit) }

  /// False if paths are not needed any more, because losses are only counted.
  var usesPaths: Bool { target != nil || isSought != nil || !own.isListFull(limit: limit) }

  /// Adds the losses of another report. A count stays at `Int.max` if it would become larger.
  public func add(_ losses: Losses) {
    add(losses) { $0 }
  }

  /// Adds the losses in a part of the value. `steps`, the path of the part, is added to their paths.
  func add(_ losses: Losses, under steps: [ValuePath.Step]) {
    add(losses) { ValuePath(steps + $0.steps) }
  }

  /// Adds the losses of another report, with their paths changed by a function.
  func add(_ losses: Losses, path: (ValuePath) -> ValuePath) {
    if let target {
      var kept = losses
      if let isKept { kept = losses.keeping { isKept(Loss($0.kind, path: path($0.path))) } }
      return target.report.add(kept) { target.pathInTarget(path($0)) }
    }
    own.add(losses, limit: limit, path: path)
    for loss in losses.listed where lists(loss.kind) { keepSought(Loss(loss.kind, path: path(loss.path))) }
  }

  /// Removes and returns the losses so far.
  func take() -> Losses {
    defer { own = Losses() }
    return own
  }

  /// Adds a step to the beginning of the paths of the listed losses from an index on.
  func prefix(_ step: @autoclosure () -> ValuePath.Step, from start: Int) {
    if own.listed.count > start { own.prefix(step(), from: start) }
  }

  /// Adds a loss. The path is computed only if the loss is listed.
  public func add(_ kind: Loss.Kind, path: @autoclosure () -> ValuePath = ValuePath()) {
    if let target {
      let lossPath = path()
      guard isKept?(Loss(kind, path: lossPath)) ?? true else { return }
      return target.report.add(kind, path: target.pathInTarget(lossPath))
    }
    let isListed = lists(kind)
    if isListed { keepSought(Loss(kind, path: path())) }
    own.add(kind, limit: isListed ? limit : limitOfOthers, path: path())
  }

  /// Adds losses of one kind, and lists the first of them.
  func add(_ kind: Loss.Kind, count: Int, firstAt path: ValuePath) {
    if let target { return target.report.add(kind, count: count, firstAt: target.pathInTarget(path)) }
    let isListed = lists(kind)
    if isListed { keepSought(Loss(kind, path: path)) }
    own.add(kind, count: count, limit: isListed ? limit : limitOfOthers, path: path)
  }
}

extension Loss: CustomStringConvertible {
  /// The loss in one sentence, without a period, and its path: `dates become text (at [0].born)`.
  public var description: String { path.isEmpty ? kind.message : "\(kind.message) (at \(path.shortened))" }
}

extension Losses: CustomStringConvertible {
  /// The kinds of losses with their numbers: `dates become text (3), comments are left out (1)`; or `nothing is lost`.
  public var description: String {
    isEmpty ? "nothing is lost" : counts.map { "\($0.kind.message) (\($0.count))" }.joined(separator: ", ")
  }
}
