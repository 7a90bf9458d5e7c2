import Foundation

extension Pipe {
  /// A pipe that something is written to, from a thread of its own because a pipe holds little.
  static func containing(_ bytes: [UInt8]) -> Pipe {
    let pipe = Pipe()
    Thread.detachNewThread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    return pipe
  }
}
