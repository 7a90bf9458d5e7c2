#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The attributes of a file, which the system provides without reading the file.
struct FileStatus {
  enum Kind { case regular, directory, link, other }
  struct Owner {
    var user: uid_t
    var group: gid_t
  }

  let kind: Kind
  /// True for a terminal, the null device and other devices without contents of their own.
  let isCharacterDevice: Bool
  /// The permission bits.
  let mode: UInt16
  let owner: Owner
  let size: Int
  /// The number of hard links.
  let links: Int
  let stamp: FileStamp
  /// The time of the last change of any attribute, including names and times (ctime). Programs cannot set it.
  let changed: FileStamp.Time

  init(_ info: stat) {
    kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    isCharacterDevice = info.st_mode & S_IFMT == S_IFCHR
    mode = UInt16(info.st_mode & 0o777)
    owner = Owner(user: info.st_uid, group: info.st_gid)
    size = Int(info.st_size)
    links = Int(info.st_nlink)
    #if canImport(Darwin)
      let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
    #else
      let (modified, changed) = (info.st_mtim, info.st_ctim)
    #endif
    stamp = FileStamp(
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino), size: Int(info.st_size),
      modified: FileStamp.Time(modified))
    self.changed = FileStamp.Time(changed)
  }
}

/// The attributes that distinguish a file from other files and from its own earlier versions.
struct FileStamp: Hashable, Sendable {
  struct Time: Hashable, Sendable {
    var seconds: Int
    var nanoseconds: Int
  }

  var device: UInt64
  var inode: UInt64
  var size: Int
  var modified: Time

  /// Returns true if both are the same file or folder, regardless of its contents.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}

extension FileStamp.Time: Comparable {
  /// The zero time (1970-01-01).
  static let zero = FileStamp.Time(seconds: 0, nanoseconds: 0)

  /// The current time of the system's clock.
  static var now: FileStamp.Time {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileStamp.Time(time)
  }

  /// The date and the time of day in the time zone of the user; nil if the system has none.
  var local: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int)? {
    var time = time_t(seconds)
    var fields = unsafe tm()
    guard unsafe localtime_r(&time, &fields) != nil else { return nil }
    return unsafe (
      Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday), Int(fields.tm_hour),
      Int(fields.tm_min), Int(fields.tm_sec)
    )
  }

  fileprivate init(_ time: timespec) {
    self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  static func < (a: FileStamp.Time, b: FileStamp.Time) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// The time in seconds since 2001.
  var sinceReferenceDate: Double { Double(seconds) - 978_307_200 + Double(nanoseconds) / 1e9 }
}
