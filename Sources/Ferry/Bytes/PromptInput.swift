/// An input whose next bytes may not be there yet.
protocol PromptInput: ByteInput {
  /// Called before a read that may block, for example on a pipe whose writer is idle.
  var beforeWaiting: (() throws(FerryError) -> Void)? { get set }
  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes at the end, or if a
  /// function returns true for the bytes so far.
  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8]
}

extension PromptInput {
  func peek(upTo count: Int) throws(FerryError) -> [UInt8] { try peek(upTo: count) { _ in false } }
}
