import Dispatch
import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A handler of signals. An interrupted run leaves no half-written file, and ends by the signal, for which shells give the exit status of
/// 128 plus the signal's number: 130 for Control-C.
struct Interruption {
  /// The signal sources, which are active as long as this array exists.
  private let sources: [any DispatchSourceSignal]

  /// Begins to handle signals. A signal that was ignored, for example under `nohup`, stays ignored. Without a handler of `SIGQUIT`
  /// (Control-\), the Swift runtime would take it for a crash, print the calls of all threads, and continue.
  init() { sources = Self.hasDescriptors ? [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap(Self.source) : [] }

  /// True if the process can open the two descriptors that Dispatch needs for signals, without which it would trap. With fewer, no file is
  /// written that a signal could interrupt, because that takes more descriptors.
  private static var hasDescriptors: Bool {
    let copies = (0..<2).map { _ in dup(STDERR_FILENO) }
    for copy in copies where copy >= 0 { close(copy) }
    return copies.allSatisfy { $0 >= 0 }
  }

  private static func source(_ number: Int32) -> (any DispatchSourceSignal)? {
    var previous = sigaction()
    guard unsafe sigaction(number, nil, &previous) == 0, !isIgnored(previous) else { return nil }
    // The default action would end the process before the handler runs.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "interruption"))
    source.setEventHandler { FileOutput.abandonAll { endProcess(by: number) } }
    // A signal before the source is active would be lost.
    let isListening = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isListening.signal() }
    source.resume()
    _ = isListening.wait(timeout: .now() + .seconds(1))
    return source
  }

  /// Ends the process by a signal, as programs end that do not handle it. A shell goes on with a loop after Control-C if the program
  /// exits with a status.
  static func endProcess(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    // Dispatch blocks signals in its threads.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    _exit(128 + number)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
