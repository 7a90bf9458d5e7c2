import ArgumentParser

/// Paths, or paths and values, in an argument: one of them, or those that a marker replaces, as for the names of files.
struct ArgumentRow: ExpressibleByArgument {
  let texts: [String]

  init?(argument: String) {
    texts = FileNames.all.texts(for: argument) ?? [argument]
  }
}

extension [ArgumentRow] {
  /// The arguments in order.
  var texts: [String] { flatMap(\.texts) }
  /// The arguments in order, as paths.
  var paths: [PathArgument] { texts.compactMap(PathArgument.init) }
}
