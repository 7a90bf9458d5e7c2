import ArgumentParser
import Ferry

/// A path argument.
struct PathArgument: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }

  /// Parses the path. An invalid path is a mistake in the command.
  func path() throws -> ValuePath {
    do throws(FerryError) { return try ValuePath(parsing: text) } catch {
      throw ValidationError(error.advised)
    }
  }
}
