internal import CSystemCalls

/// The memory of the process that has been freed.
package enum FreedMemory {
  /// Keeps freed memory for later allocations, and does not return it to the system.
  ///
  /// A conversion of a large file frees and allocates lists of many megabytes. The system fills each page that it gives anew with zeros, which
  /// costs up to a fifth of the conversion. Only a program that ends with its conversions keeps the memory, so the library leaves this to it.
  package static func keep() { ferry_keep_freed_memory() }
}
