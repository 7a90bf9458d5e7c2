/// Waits until a condition holds, and returns false if it does not after 12,000 looks, which take a minute or, on a busy
/// machine, more.
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<12_000 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}
