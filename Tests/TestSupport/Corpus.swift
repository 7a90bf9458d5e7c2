#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Ferry
import Testing

/// The folder of real files that `FERRY_CORPUS` names; tests that need it are skipped when it is not set.
public enum Corpus {
  /// The folder's path.
  public static func path() throws -> String {
    guard let path = unsafe getenv("FERRY_CORPUS").map({ unsafe String(cString: $0) }) else {
      try Test.cancel("FERRY_CORPUS names no folder of real files")
    }
    return path
  }

  /// The bytes of a file of it.
  public static func bytes(_ file: String) throws -> [UInt8] {
    try FileInput(path: "\(path())/\(file)").readAll()
  }

  /// The files below a folder of it, as paths in the corpus, sorted.
  public static func files(under folder: String) throws -> [String] {
    let root = try path()
    var files: [String] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      guard let directory = unsafe opendir("\(root)/\(folder)") else { continue }
      defer { unsafe closedir(directory) }
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        let path = "\(folder)/\(name)"
        if unsafe entry.pointee.d_type == UInt8(DT_DIR) { folders.append(path) } else { files.append(path) }
      }
    }
    return files.sorted()
  }
}
