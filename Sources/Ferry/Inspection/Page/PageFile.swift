/// The HTML of a page: one file with style, script and data, which needs no network.
///
/// Its Content-Security-Policy allows the script and the style by their hashes, and images in data: URLs, and forbids everything
/// else, above all any connection. The script puts text of the file into the page as text only, never as HTML.
struct PageFile {
  let title: String

  /// Writes the page with the data that a function adds.
  func write(
    to output: any ByteOutput, _ data: (PageBlock) throws(FerryError) -> Void
  ) throws(FerryError) {
    try Self.write(head, to: output)
    try PageBlock.write(to: output, data)
    try Self.write(Self.tail, to: output)
  }

  private static func write(_ text: String, to output: any ByteOutput) throws(FerryError) {
    try output.write(text.utf8.span)
  }

  private var head: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="ferry">
    <title>\(Self.escaped(title))</title>
    <style>\(PageStyle.text)</style>
    </head>
    <body>
    \(PageSkeleton.text)
    <script type="application/json" id="data">
    """
  }

  private static let tail = """
    </script>
    <script>\(PageScript.text)</script>
    </body>
    </html>

    """

  private static let policy = [
    "default-src 'none'", "img-src data:", "style-src '\(hash(PageStyle.text))'",
    "script-src '\(hash(PageScript.text))'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  private static func hash(_ text: String) -> String {
    "sha256-" + String(decoding: Base64.encode(SHA256.digest(of: text.utf8.span).span), as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "\0": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
