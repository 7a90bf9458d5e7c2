/// The part of a page's script that shows the tree of values. Only the rows in view are elements, so a collection of a million
/// parts opens at once.
enum TreeScript {
  static let text = #"""
    const rowHeight = 24;
    // Browsers limit the height of an element.
    const mostRows = 1200000;

    class Tree {
      // `host` has the functions select(tree, row), follow(tree, row) and needle(), and may mark rows with mark(row) and choose
      // them with shows(row).
      constructor(model, name, host) {
        Object.assign(this, { model, name, host, open: new Set(), selected: -1 });
        this.space = make('div', { class: 'space', role: 'presentation' });
        this.element = make('div', { class: 'tree', role: 'tree', tabindex: 0, 'aria-label': name }, this.space);
        this.element.addEventListener('scroll', () => this.schedule());
        this.element.addEventListener('keydown', event => this.press(event));
        this.element.addEventListener('click', event => this.click(event));
        this.element.addEventListener('dblclick', event => this.doubleClick(event));
        new ResizeObserver(() => this.schedule()).observe(this.element);
        this.roots = [];
        for (let row = 0; row < model.count; row = model.ends[row]) this.roots.push(row);
        this.list();
      }

      // Lists the visible rows anew.
      list() {
        const rows = [];
        const add = parts => {
          const stack = [[parts, 0]];
          while (stack.length && rows.length < mostRows) {
            const top = stack[stack.length - 1];
            if (top[1] === top[0].length) { stack.pop(); continue; }
            const row = top[0][top[1]++];
            if (this.host.shows && !this.host.shows(this, row)) continue;
            rows.push(row);
            if (this.open.has(row)) stack.push([this.model.parts(row), 0]);
          }
        };
        add(this.roots);
        this.rows = rows;
        this.positions = null;
        this.space.style.height = `${rows.length * rowHeight}px`;
        this.schedule();
      }

      position(row) {
        if (!this.positions) this.positions = new Map(this.rows.map((row, position) => [row, position]));
        return this.positions.get(row) ?? -1;
      }

      schedule() {
        if (this.isScheduled) return;
        this.isScheduled = true;
        requestAnimationFrame(() => { this.isScheduled = false; this.render(); });
      }

      // Makes elements for the rows in view.
      render() {
        const first = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - 8);
        const last = Math.min(this.rows.length, first + Math.ceil(this.element.clientHeight / rowHeight) + 16);
        const elements = [];
        for (let position = first; position < last; position++) elements.push(this.rowElement(this.rows[position], position));
        this.space.replaceChildren(...elements);
        if (this.selected >= 0) this.element.setAttribute('aria-activedescendant', this.id(this.selected));
      }

      id(row) { return `${this.name}-${row}`.replace(/[^\w-]/g, '_'); }

      rowElement(row, position) {
        const model = this.model;
        const canOpen = model.partCount(row) > 0;
        const isOpen = this.open.has(row);
        const parent = model.parents[row];
        const element = make('div', {
          class: `row ${this.host.mark?.(this, row) ?? ''}`, role: 'treeitem', id: this.id(row), 'data-row': row,
          'aria-level': model.depths[row] + 1, 'aria-selected': `${row === this.selected}`,
          'aria-expanded': canOpen ? `${isOpen}` : null, 'aria-posinset': model.indices[row] + 1,
          'aria-setsize': parent < 0 ? this.roots.length : model.partCount(parent),
        }, make('span', { class: 'toggle', 'aria-hidden': 'true' }, canOpen ? (isOpen ? '▼' : '▶') : ''),
        ...rowContent(model, row, { needle: this.host.needle(), isOpen, follow: row => this.host.follow(this, row) }));
        element.style.top = `${position * rowHeight}px`;
        element.style.paddingInlineStart = `${6 + 18 * Math.min(model.depths[row], 60)}px`;
        const left = isOpen && model.hidden.get(row);
        if (left) element.append(make('span', { class: 'faint' }, `  (${left.toLocaleString('en')} more are not on this page)`));
        return element;
      }

      // MARK: Opening and selecting

      toggle(row) {
        if (!this.model.partCount(row)) return;
        if (this.open.has(row)) this.open.delete(row); else this.open.add(row);
        this.list();
      }

      select(row, { quiet = false } = {}) {
        this.selected = row;
        this.scrollTo(row);
        this.render();
        if (!quiet) this.host.select(this, row);
      }

      // Opens collections from the root on, as long as there are not too many rows. The root is always open.
      openFirst(limit) {
        let count = this.roots.length;
        for (let level = [...this.roots]; level.length;) {
          const next = [];
          for (const row of level) {
            const parts = this.model.partCount(row);
            if (!parts || this.model.parents[row] >= 0 && (count + parts > limit || colorAt(this.model, row))) continue;
            count += parts;
            this.open.add(row);
            if (parts <= limit) next.push(...this.model.parts(row));
          }
          level = next;
        }
        this.list();
      }

      // Opens the collections around a row, and selects it.
      reveal(row, options) {
        let isChanged = false;
        for (const ancestor of this.model.ancestors(row)) {
          if (!this.open.has(ancestor)) { this.open.add(ancestor); isChanged = true; }
        }
        if (isChanged || this.position(row) < 0) this.list();
        this.select(row, options);
      }

      scrollTo(row) {
        const top = this.position(row) * rowHeight;
        if (top < 0) return;
        const { scrollTop, clientHeight } = this.element;
        if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
          this.element.scrollTop = Math.max(0, top - Math.floor(clientHeight / 3));
        }
      }

      // MARK: Events

      row(event) {
        const element = event.target.closest('.row');
        return element ? Number(element.dataset.row) : -1;
      }

      click(event) {
        const row = this.row(event);
        if (row < 0 || event.target.closest('.follow')) return;
        if (event.target.closest('.toggle')) this.toggle(row);
        this.select(row);
      }

      doubleClick(event) {
        const row = this.row(event);
        if (row < 0 || event.target.closest('.toggle, .follow')) return;
        if (this.model.isReference(row)) this.host.follow(this, row); else this.toggle(row);
      }

      press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.element) return;
        const model = this.model;
        const row = this.selected;
        const at = this.position(row);
        const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
        const go = position => this.rows.length && this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, position))]);
        switch (event.key) {
          case 'ArrowDown': go(at + 1); break;
          case 'ArrowUp': go(at < 0 ? 0 : at - 1); break;
          case 'PageDown': go(at + page); break;
          case 'PageUp': go(at - page); break;
          case 'Home': go(0); break;
          case 'End': go(this.rows.length - 1); break;
          case 'ArrowRight':
            if (row < 0) break;
            if (model.isReference(row)) this.host.follow(this, row);
            else if (model.partCount(row) && !this.open.has(row)) this.toggle(row);
            else if (model.partCount(row)) go(at + 1);
            break;
          case 'ArrowLeft':
            if (row < 0) break;
            if (this.open.has(row)) this.toggle(row);
            else if (model.parents[row] >= 0) this.select(model.parents[row]);
            break;
          case 'Enter': case ' ':
            if (row < 0) break;
            if (model.isReference(row)) this.host.follow(this, row); else this.toggle(row);
            break;
          default: return;
        }
        event.preventDefault();
      }
    }
    """#
}
