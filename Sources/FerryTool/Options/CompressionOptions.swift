import ArgumentParser
import Ferry

/// The option for the compression of an output.
struct CompressionOptions: ParsableArguments {
  @Option(
    name: .customLong("compress"),
    help: ArgumentHelp(
      "Compress the output: gzip, zlib, zstd, xz or none (default: by the output's extension, such as .gz).",
      valueName: "compression"))
  var choice: CompressionChoice?

  /// The requested compression; nil for none.
  var requested: Compression? { choice?.compression }
}

/// `--compress gzip`, `--compress none`
struct CompressionChoice: ExpressibleByArgument, Sendable {
  /// The compression, or nil for `none`.
  let compression: Compression?

  init?(argument: String) {
    let name = argument.lowercased()
    guard name != "none" else {
      compression = nil
      return
    }
    let found = Compression.allCases.first { $0.rawValue == name || $0.extensions.contains(name) }
    guard let found else { return nil }
    compression = found
  }

  static var allValueStrings: [String] { Compression.allCases.map(\.rawValue) + ["none"] }
}

extension CompressionChoice? {
  /// The end of the name of an output in a folder, such as `.gz`; empty without compression.
  var suffix: String { self?.compression.map { ".\($0.extensions[0])" } ?? "" }

  /// Returns the compression of an output with a name: the chosen one, or else that of its extension.
  func compression(ofFile name: String) -> Compression? {
    guard let self else { return Compression.ofFile(named: name) }
    return self.compression
  }
}
