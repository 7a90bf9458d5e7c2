/// The names that every archive contains. Every name table begins with them.
enum ArchiveName: Int, CaseIterable {
  case objects, top, archiver, version, type, className, classNames, hints

  var text: String {
    switch self {
    case .objects: "$objects"
    case .top: "$top"
    case .archiver: "$archiver"
    case .version: "$version"
    case .type: "$class"
    case .className: "$classname"
    case .classNames: "$classes"
    case .hints: "$classhints"
    }
  }
}
