/// The part of a page's script that shows the changes between two versions.
enum DifferencesScript {
  static let text = #"""
    const signs = { added: '+', removed: '−', changed: '~', moved: '>' };
    const mostChanges = 2000;

    class Differences {
      constructor(changes, trees, element) {
        Object.assign(this, { changes, trees, element, at: -1, onlyChanges: false });
        // For each tree the kind of change of each row, and the rows around changes.
        this.marks = trees.map((tree, side) => {
          const marks = new Map();
          for (const change of changes) {
            if (change.nodes[side] >= 0 && marks.get(change.nodes[side]) !== 'changed') marks.set(change.nodes[side], change.kind);
          }
          return marks;
        });
        this.around = trees.map((tree, side) => {
          const around = new Set();
          for (const row of this.marks[side].keys()) {
            for (let at = tree.model.parents[row]; at >= 0 && !around.has(at); at = tree.model.parents[at]) around.add(at);
          }
          return around;
        });
      }

      side(tree) { return this.trees.indexOf(tree); }

      mark(tree, row) {
        const side = this.side(tree);
        if (side < 0) return '';
        return this.marks[side].get(row) ?? (this.around[side].has(row) ? 'within' : '');
      }

      // True unless only changes are shown, and the row has none in it and is in none.
      shows(tree, row) {
        if (!this.onlyChanges) return true;
        const side = this.side(tree);
        if (this.around[side].has(row)) return true;
        for (let at = row; at >= 0; at = tree.model.parents[at]) if (this.marks[side].has(at)) return true;
        return false;
      }

      // Opens the collections around all changes.
      open() {
        this.trees.forEach((tree, side) => {
          for (const row of this.around[side]) tree.open.add(row);
          tree.list();
        });
      }

      show() {
        const kinds = ['changed', 'added', 'removed', 'moved'];
        const counts = kinds.map(kind => [kind, this.changes.filter(change => change.kind === kind).length]).filter(([, count]) => count);
        this.position = make('span', { class: 'faint', id: 'position', role: 'status' });
        const only = make('input', { type: 'checkbox', id: 'only', onchange: event => {
          this.onlyChanges = event.target.checked;
          for (const tree of this.trees) { tree.list(); if (tree.selected >= 0) tree.scrollTo(tree.selected); }
        } });
        this.buttons = this.changes.slice(0, mostChanges).map((change, index) => this.button(change, index));
        const left = this.changes.length - this.buttons.length;
        this.list = make('div', { class: 'changes' }, ...this.buttons);
        this.element.append(
          make('div', { class: 'counts' }, ...counts.map(([kind, count]) => make('span', { class: kind }, `${count.toLocaleString('en')} ${kind}`)),
            this.changes.length ? null : 'The values are the same.'),
          make('div', { class: 'steps' },
            make('button', { type: 'button', id: 'previous-change', title: 'Previous change (p)', onclick: () => this.step(-1) }, '↑ Previous'),
            make('button', { type: 'button', id: 'next-change', title: 'Next change (n)', onclick: () => this.step(1) }, '↓ Next'),
            this.position, make('label', {}, only, ' Only changes')),
          make('h3', {}, 'Changes'), this.list);
        this.element.append(...more(left));
      }

      button(change, index) {
        const [old, now] = change.paths.map(path => path || '.');
        const path = change.kind === 'moved' ? `${old} → ${now}` : change.nodes[1] >= 0 || change.kind === 'added' ? now : old;
        return make('button', { type: 'button', class: change.kind, title: path, onclick: () => this.go(index) },
          `${signs[change.kind]} `, make('span', { class: 'mono' }, visible(path)), make('span', { class: 'faint mono' }, `  ${this.words(change)}`));
      }

      words(change) {
        const words = change.nodes.map((row, side) => {
          if (row < 0) return '';
          const { model } = this.trees[side];
          return model.isCollection(row) ? `${model.objects.has(row) ? `${objectName(model, row)} ` : ''}${size(model, row)}`
            : model.isReference(row) ? `→ ${nameOfTarget(model, row)}` : scalarText(model, row, 60);
        });
        return change.kind === 'moved' ? '' : words.filter(Boolean).join(' → ');
      }

      step(by) {
        const { length } = this.changes;
        if (length) this.go(this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length);
      }

      // Reveals a change in both trees.
      go(index) {
        this.at = index;
        const change = this.changes[index];
        this.trees.forEach((tree, side) => {
          if (change.nodes[side] >= 0) tree.reveal(change.nodes[side]);
          else this.revealAround(tree, change.paths[1 - side], 1 - side);
        });
        this.position.textContent = `${(index + 1).toLocaleString('en')} of ${this.changes.length.toLocaleString('en')}`;
        this.buttons.forEach((button, at) => button.setAttribute('aria-current', `${at === index}`));
        this.buttons[index]?.scrollIntoView({ block: 'nearest' });
      }

      // Selects the nearest value around a change that one version does not have.
      revealAround(tree, path, side) {
        const other = this.trees[side];
        const row = this.changes[this.at].nodes[side];
        if (row < 0 || !tree.model.count) return;
        let at = 0;
        for (const ancestor of [...other.model.ancestors(row), row].slice(1)) {
          const key = other.model.key(ancestor);
          const part = key === null ? tree.model.parts(at)[other.model.indices[ancestor]] ?? -1 : tree.model.part(at, key);
          if (part < 0 || ancestor === row) break;
          at = part;
        }
        tree.reveal(at, { quiet: true });
      }
    }
    """#
}
