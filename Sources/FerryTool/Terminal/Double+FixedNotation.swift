#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Double {
  /// The notation of `printf("%f")`: six digits after the point, and no exponent.
  var fixedNotation: String {
    unsafe withVaList([self]) { arguments in
      // The largest number has 309 digits before the point.
      var text = [CChar](repeating: 0, count: 400)
      let count = unsafe vsnprintf(&text, text.count, "%f", arguments)
      return String(decoding: text.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
