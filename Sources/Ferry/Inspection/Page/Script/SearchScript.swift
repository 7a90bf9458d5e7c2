/// The part of a page's script that searches keys, values and classes.
enum SearchScript {
  static let text = #"""
    // The greatest number of matches that one can go to. All are counted.
    const mostMatches = 10000;

    class Search {
      // `go` reveals a row of a tree.
      constructor(trees, output, go) { Object.assign(this, { trees, output, go, needle: '', matches: [], count: 0, at: -1 }); }

      // Finds the keys, texts and classes that contain a text, regardless of case.
      find(text) {
        this.needle = text.toLowerCase();
        this.collect(this.needle && (model => {
          const has = texts => texts.map(text => text.toLowerCase().includes(this.needle));
          const [names, texts, classes] = [has(model.names), has(model.texts), new Set(model.classes.filter(type => type.name.toLowerCase().includes(this.needle)))];
          return row => model.keys[row] && names[Math.abs(model.keys[row]) - 1]
            || !model.isCollection(row) && !model.isReference(row) && model.kinds[row] !== 'd' && texts[model.values[row]]
            || classes.size && classes.has(model.type(row));
        }));
      }

      // Finds the objects of a class.
      findClass(name) {
        this.needle = '';
        this.collect(model => row => model.type(row)?.name === name);
      }

      collect(tests) {
        Object.assign(this, { matches: [], count: 0, at: -1, isActive: Boolean(tests) });
        for (const tree of tests ? this.trees : []) {
          const test = tests(tree.model);
          for (let row = 0; row < tree.model.count; row++) {
            if (!test(row)) continue;
            if (this.count++ < mostMatches) this.matches.push([tree, row]);
          }
        }
        for (const tree of this.trees) tree.schedule();
        this.report();
      }

      step(by) {
        const { length } = this.matches;
        if (!length) return;
        this.at = this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length;
        this.report();
        this.go(...this.matches[this.at]);
      }

      report() {
        const total = this.count.toLocaleString('en');
        this.output.textContent = !this.isActive ? '' : !this.count ? 'Nothing found'
          : this.at < 0 ? `${total} found` : `${(this.at + 1).toLocaleString('en')} of ${total}`;
        if (this.count > mostMatches) this.output.title = `The arrows go to the first ${mostMatches.toLocaleString('en')}.`;
        else this.output.removeAttribute('title');
      }
    }
    """#
}
