/// The fixed elements of a page, which the script fills.
enum PageSkeleton {
  static let text = #"""
    <header>
      <h1 id="title"></h1>
      <nav id="views" role="tablist" aria-label="Views"></nav>
      <form id="searching" role="search">
        <input id="search" type="search" placeholder="Search keys and values" autocomplete="off"
          spellcheck="false" aria-label="Search keys and values" aria-keyshortcuts="/">
        <output id="found" for="search"></output>
        <button type="button" id="previous" title="Previous match (Shift+Enter)" aria-label="Previous match">↑</button>
        <button type="submit" id="next" title="Next match (Enter)" aria-label="Next match">↓</button>
      </form>
    </header>
    <main>
      <section id="values" role="tabpanel" aria-label="Values">
        <div id="trees"></div>
        <aside id="details" aria-label="The selected value" aria-live="off"></aside>
      </section>
      <section id="classes" role="tabpanel" aria-label="Classes" hidden></section>
      <section id="graph" role="tabpanel" aria-label="Graph" hidden></section>
      <section id="file" role="tabpanel" aria-label="File" hidden></section>
    </main>
    <noscript>This page shows its data with JavaScript, which is turned off.</noscript>
    """#
}
