/// The values that a path selects in a large text file. They are not kept in memory, but read from the file when they are written.
///
///     let path = try ValuePath(parsing: "people[*].name")
///     let values = try StreamedValues.opening(path, in: input, named: "people.json", options: options, as: nil)
///     try values?.writeText(style: .compact, to: output)
///
/// The file is read twice, first to make sure that all of it is valid before any value is written.
package final class StreamedValues {
  private let path: ValuePath
  private let input: any ByteInput
  private let name: String
  private let options: EditableFile.Options
  /// The number of references to undeclared entities that the values do not have, in XML.
  private var leftOutReferences = 0

  private init(
    _ path: ValuePath, in input: any ByteInput, named name: String, _ options: EditableFile.Options
  ) {
    (self.path, self.input, self.name, self.options) = (path, input, name, options)
  }

  /// Opens an input to write the values at a path that may select several.
  ///
  /// - Parameters:
  ///   - name: The file name of the input.
  ///   - writing: The format in which the values will be written; nil for plain text.
  /// - Returns: The values, or nil if they cannot be read in one pass, if there are none, or if there is an error. The input is then at its
  ///   beginning, so that an `EditableFile` can read them or throw the error.
  package static func opening(
    _ path: ValuePath, in input: any ByteInput, named name: String, options: EditableFile.Options,
    as writing: WritingOptions?
  ) throws(FerryError) -> StreamedValues? {
    try opening(path, in: input, named: name, options, as: writing, from: EditableFile.outlinedSize)
  }

  /// Opens an input, as above, if it has a size.
  static func opening(
    _ path: ValuePath, in input: any ByteInput, named name: String, _ options: EditableFile.Options,
    as writing: WritingOptions?, from size: Int
  ) throws(FerryError) -> StreamedValues? {
    guard path.isReadInOrder, writing?.format.isDatabase != true, (input as? FileInput)?.size ?? .max >= size
    else { return nil }
    try input.makeRewindable()
    let values = StreamedValues(path, in: input, named: name, options)
    let areFound = (try? values.findValues(as: writing)) ?? false
    try input.rewind()
    return areFound ? values : nil
  }

  /// Reads the file. Returns true if there are values, and if all of them can be written as they are read.
  private func findValues(as writing: WritingOptions?) throws(FerryError) -> Bool {
    guard try detected().format.hasOutlines else { return false }
    let losses = LossReport()
    guard let writing, !writing.holdsAllValues else {
      return try findValues(sendingTo: NullBatchSink(), losses)
    }
    var areFound = false
    try conversion(writing).write(to: NullOutput(), losses: LossReport(), byteCount: byteCount) {
      sink throws(FerryError) in
      areFound = try findValues(sendingTo: sink, losses)
    }
    return areFound
  }

  private func findValues(
    sendingTo sink: any ValueSink, _ losses: LossReport
  ) throws(FerryError) -> Bool {
    let selection = try PathSelection(path, to: sink, losses: losses, firstKeyWins: false)
    leftOutReferences = try send(into: selection)
    return !losses.hasEmptySelection && !selection.mayLackValues
  }

  /// Writes the values as plain text, as `EditableFile.writeText(_:style:to:)`.
  package func writeText(style: OutputStyle, to output: any ByteOutput) throws(FerryError) -> Losses {
    let losses = readingLosses
    var writing = WritingOptions(to: .json)
    writing.style = style
    let lines = ValueLines(by: conversion(writing), to: output, losses: losses, byteCount: byteCount)
    let selection = try PathSelection(path, to: lines, losses: LossReport(), firstKeyWins: false)
    lines.path = { [unowned selection] in selection.pathOfValue }
    try naming { () throws(FerryError) in
      _ = try send(into: selection)
      try lines.flush()
    }
    return losses.all
  }

  /// Writes an array of the values in a format, as `EditableFile.write(_:as:to:)`.
  package func write(as writing: WritingOptions, to output: any ByteOutput) throws(FerryError) -> Losses {
    let losses = readingLosses
    try naming { () throws(FerryError) in
      try conversion(writing).write(to: output, losses: losses, byteCount: byteCount) {
        sink throws(FerryError) in
        _ = try send(into: PathSelection(path, to: sink, losses: LossReport(), firstKeyWins: false))
      }
    }
    return losses.all
  }

  /// Sends the values of the file to a selection. Returns the number of references to undeclared entities.
  private func send(into selection: PathSelection) throws(FerryError) -> Int {
    let leftOut = try EditableFile.sendValues(of: detected(), options, into: selection)
    try selection.complete()
    return leftOut
  }

  private func detected() throws(FerryError) -> DetectedInput {
    try input.rewind()
    return try DetectedInput(of: input, named: name, options)
  }

  private func conversion(_ writing: WritingOptions) -> Conversion {
    Conversion(writing: writing, ofFileOpenedBy: options)
  }

  private var byteCount: Int { (input as? FileInput)?.size ?? 0 }

  /// A report with the losses of reading the file.
  private var readingLosses: LossReport { LossReport(leavingOutReferences: leftOutReferences) }

  private func naming(_ body: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) { try body() } catch { throw error.placed(inInput: input.path) }
  }
}

extension ValuePath {
  /// True if the path may select several values, and one pass can tell which: no step counts from the end of a list, and none may be
  /// either a key or an index.
  fileprivate var isReadInOrder: Bool {
    guard selectsList else { return false }
    return steps.allSatisfy { step in
      switch step {
      case .key: step.indexInList == nil
      case .index(let index): index >= 0
      case .slice(nil, nil): true
      // `[0:]` is left out because a selection reads it as `[*]`, which also selects from dictionaries.
      case .slice(let from, let to): (from ?? 0) >= 0 && (to ?? 0) >= 0 && (from ?? 0, to) != (0, nil)
      case .filter, .end: true
      }
    }
  }
}

extension WritingOptions {
  /// True if the output can hold any value, as JSON can in UTF-8. Another encoding may lack a character.
  fileprivate var holdsAllValues: Bool {
    switch format.description.listLayout {
    case .lines, .brackets: encoding == nil
    case .rows, nil: false
    }
  }
}
