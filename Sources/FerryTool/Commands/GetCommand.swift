import ArgumentParser
import Ferry

/// `ferry get`: prints a value by its path.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the value at a path.",
    discussion: """
      A path has keys, joined by dots, and elements in brackets. It can go through objects, dictionaries, arrays, and \
      files in data. The only root of an archive needs no name.

        ferry get state.archive 'people[0].name'     a string without quotes
        ferry get state.archive 'people[-1]'         the last element, as JSON
        ferry get state.archive 'people[*].name'     every name, one a line
        ferry get state.archive 'people[name=Ada]'   the elements with this name
        ferry get state.archive 'people[1:3]'        the second and the third
        ferry get state.archive '["a key.with dots"]'
        ferry get state.archive '$objects[17]'       an object by its number
        ferry get image.plist icon --bytes > icon.png

      Scalars are printed as they are, dates in ISO 8601, data in Base64, collections as JSON. The exit status is 1 if \
      the path selects nothing. Documentation/Paths.md describes paths.
      """)

  @Argument(
    help: "The file; - reads the standard input.",
    completion: .file())
  var file: String

  @Argument(help: "The path of the value, such as people[0].name (default: the whole file).")
  var path: PathArgument?

  @OptionGroup var paths: PathOptions
  @OptionGroup var shared: SharedObjectOptions

  @Option(
    name: .long, help: ArgumentHelp("Write the value in this format instead of as text.", valueName: "format")
  )
  var to: WrittenFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Overwrite existing files.")
  var force = false

  @Flag(name: .long, help: "Pretty-print JSON.")
  var pretty = false

  @Flag(name: .long, help: "Write the bytes of data or of a string, without a line end.")
  var bytes = false

  @Flag(name: .shortAndLong, help: "Don't report data that the output format cannot hold.")
  var quiet = false

  func validate() throws {
    _ = try path?.path()
    guard !bytes || to == nil else { throw ValidationError("--bytes and --to cannot be used together") }
  }

  func run() throws {
    let path = try path?.path() ?? ValuePath()
    do throws(NamedError) {
      let source = try paths.open(file, shared: shared.style)
      let losses: Losses?
      if let output, output != "-" {
        let target = try NamedError.naming(output) { () throws(FerryError) in
          try FileOutput(path: output, replacing: force)
        }
        losses = try write(path, of: source, to: NamedOutput(target, name: output))
        try NamedError.naming(output) { () throws(FerryError) in try target.commit() }
      } else {
        losses = try write(path, of: source, to: NamedOutput(Terminal.output, name: "standard output"))
      }
      PathOptions.warn(of: source, named: file)
      say(losses)
      if try isEmpty(path, of: source) { StandardError.write("\(file): no value matches the path \(path)") }
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }

  private func write(_ path: ValuePath, of source: EditableFile, to output: NamedOutput) throws(NamedError)
    -> Losses?
  {
    let target = bytes ? nil : to?.format ?? self.output.flatMap(Format.ofFile(named:))
    return try output.naming(input: file) { output throws(FerryError) in
      if bytes {
        let contents = try source.contents(at: path)
        try output.write(contents.span)
        return nil
      }
      guard let target else { return try source.writeText(path, isPretty: pretty, to: output) }
      var conversion = Conversion(to: target)
      conversion.shared = shared.style
      conversion.isPretty = pretty
      conversion.budget = paths.budget.budget
      return try source.write(path, as: conversion, to: output)
    }
  }

  /// Returns true if the path may match several values and matches none.
  private func isEmpty(_ path: ValuePath, of source: EditableFile) throws(NamedError) -> Bool {
    guard path.namesSeveral, !quiet else { return false }
    return try NamedError.naming(file) { () throws(FerryError) in try source.count(at: path) == 0 }
  }

  private func say(_ losses: Losses?) {
    if !quiet, let losses { StandardError.write(losses, of: file) }
  }
}
