import ArgumentParser
import Ferry

/// A value with its old and its new path: the arguments that `move` and `copy` share.
struct TransferOptions: ParsableArguments {
  @OptionGroup var edited: EditedFileArgument

  @Argument(
    help: """
      The path of the value: people[0].name, or for XML an XPath. "ferry help paths" explains paths.
      """)
  var path: PathArgument

  @Argument(
    help: """
      The path that the value gets: a new key; items[2], before the third element; items[], after the last; for XML also an \
      XPath that ends with a name, as in //book/title.
      """)
  var newPath: PathArgument

  @Flag(name: .long, help: "Replace the value of a key, or the element at an index, that exists.")
  var replace = false

  @OptionGroup var namespaces: NamespaceOptions

  /// The file that changes.
  var file: String { edited.file }

  /// The path and the new path.
  var arguments: [PathArgument] { [path, newPath] }

  func validate() throws {
    // Whether an argument is an XPath depends on the file.
    for argument in [path, newPath] where !argument.mayBeXPath { _ = try argument.path() }
  }
}

extension EditableFile {
  /// Moves or copies the values of the arguments, each of which may be an XPath. Returns the number of values.
  ///
  /// - Parameters:
  ///   - isMove: True if the values are removed from their old places.
  ///   - change: Moves or copies the values at a path to another one.
  func transfer(
    _ options: TransferOptions, isMove: Bool,
    _ change: (_ path: ValuePath, _ newPath: ValuePath) throws(FerryError) -> Int
  ) throws(FerryError) -> Int {
    let (argument, newArgument) = (options.path, options.newPath)
    let sources = try values(selectedBy: argument, for: .transfer)
    let targets = try values(selectedBy: newArgument, for: .destination)
    if sources == nil, targets == nil {
      return try change(argument.pathInAnyFormat(), newArgument.pathInAnyFormat())
    }
    let from = if let sources { sources } else { try value(at: argument) }
    let to = if let targets { targets } else { try value(at: newArgument) }
    let transfer = Transfer(of: from, argument.text, to: to, newArgument.text, isMove: isMove)
    return try self.transfer(transfer, change)
  }
}
