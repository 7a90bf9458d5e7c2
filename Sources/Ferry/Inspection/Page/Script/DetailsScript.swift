/// The part of a page's script that shows the selected value: its path, its class, its contents and its references.
enum DetailsScript {
  static let text = #"""
    const listLimit = 100;

    // The number of entries that a list leaves out.
    const more = count => count > 0 ? [make('p', { class: 'faint' }, `… ${count.toLocaleString('en')} more`)] : [];

    class Details {
      // `go` reveals a row of a tree.
      constructor(element, hasPaths, go) { Object.assign(this, { element, hasPaths, go }); }

      show(tree, row) {
        const model = tree.model;
        this.element.replaceChildren(
          make('h2', {}, objectName(model, row)),
          ...this.facts(model, row), this.path(model, row), ...this.picture(model, row), ...this.value(model, row),
          ...this.parts(tree, row), ...this.references(tree, row));
        this.element.scrollTop = 0;
      }

      facts(model, row) {
        const facts = [];
        const type = model.type(row);
        if (type?.superclasses.length) facts.push(`${[type.name, ...type.superclasses].map(visible).join(' ▸ ')}`);
        const data = model.data.get(row);
        if (data) facts.push(`${data.summary}, ${counted(data.bytes, 'byte')}`);
        if (model.isCollection(row)) facts.push(size(model, row));
        else if (model.kinds[row] === 's') facts.push(`string, ${counted(model.cut.get(row) ?? new Blob([model.text(row)]).size, 'byte')}`);
        else if (type) facts.push(kindNames[model.kinds[row]]);
        return facts.map(fact => make('p', { class: 'faint' }, fact));
      }

      path(model, row) {
        const path = this.hasPaths ? model.path(row) : null;
        if (path === null) return make('p', { class: 'faint' }, 'This value has no path.');
        const button = make('button', { type: 'button', id: 'copy', title: 'Copy the path' }, 'Copy');
        button.addEventListener('click', async () => {
          button.textContent = await copy(path) ? 'Copied' : 'Failed';
          setTimeout(() => { button.textContent = 'Copy'; }, 1500);
        });
        return make('div', { class: 'path' }, make('code', { id: 'path', title: 'The path of the value' }, path), button);
      }

      picture(model, row) {
        const found = [];
        const color = colorAt(model, row);
        if (color) {
          const paint = make('div');
          paint.style.background = color;
          found.push(make('div', { class: 'paint checkered' }, paint));
        }
        const data = model.data.get(row);
        if (data?.base64) found.push(picture(data, 'picture checkered'));
        return found;
      }

      value(model, row) {
        if (model.isCollection(row) || model.isReference(row)) return [];
        const text = model.text(row);
        const found = [make('h3', {}, model.kinds[row] === 'd' ? 'First bytes' : 'Value'), make('pre', { id: 'value' }, text)];
        const bytes = model.cut.get(row);
        if (bytes) found.push(make('p', { class: 'faint' }, `The page has the beginning of ${counted(bytes, 'byte')}.`));
        return found;
      }

      parts(tree, row) {
        const model = tree.model;
        if (model.kinds[row] !== 'o' || !model.partCount(row)) return [];
        const parts = [...model.parts(row).subarray(0, listLimit)];
        const rows = parts.map(part => make('tr', {},
          make('td', {}, this.link(tree, part, visible(shorten(model.key(part), 80)))),
          make('td', { class: `mono ${styles[model.kinds[part]] ?? 'faint'}` },
            ...(colorAt(model, part) ? [swatch(colorAt(model, part))] : []),
            model.isReference(part) ? this.link(tree, model.target(part), `→ ${nameOfTarget(model, part)}`)
              : model.isCollection(part) ? `${model.objects.has(part) ? objectName(model, part) : size(model, part)}` : scalarText(model, part, 60))));
        return [make('h3', {}, 'Keys'), make('table', {}, make('tbody', {}, ...rows)), ...more(model.partCount(row) - parts.length)];
      }

      references(tree, row) {
        const { model, references } = tree;
        const target = model.isReference(row) ? model.target(row) : row;
        if (target < 0 || !model.objects.has(target)) return [];
        const incoming = references.to(target);
        const outgoing = references.from(target, listLimit);
        return [
          ...this.list('Referred to by', tree, incoming, from => this.referrer(tree, from), 'referrers'),
          ...this.list('Refers to', tree, outgoing, to => this.link(tree, model.isReference(to) ? model.target(to) : to, nameOfTarget(model, to)), 'referred'),
        ];
      }

      list(title, tree, rows, entry, id) {
        if (!rows.length) return [];
        const shown = rows.slice(0, listLimit);
        return [make('h3', {}, title), make('ul', { id }, ...shown.map(row => make('li', {}, entry(row)))), ...more(rows.length - shown.length)];
      }

      // The object that refers, with the keys on the way to the reference.
      referrer(tree, row) {
        const { model, references } = tree;
        const owner = references.owner(row);
        const names = [];
        for (let at = row; at !== owner && model.parents[at] >= 0; at = model.parents[at]) {
          names.push(model.key(at) === null ? `[${model.indices[at]}]` : visible(shorten(model.key(at), 60)));
        }
        const name = owner < 0 ? 'the root' : objectName(model, owner);
        return this.link(tree, row, `${name} · ${names.reverse().join(' ')}`);
      }

      link(tree, row, text) {
        return row < 0 ? text : make('button', { type: 'button', class: 'link', onclick: () => this.go(tree, row) }, text);
      }
    }

    function nameOfTarget(model, row) {
      const target = model.isReference(row) ? model.target(row) : row;
      return target < 0 ? `#${model.values[row]}` : objectName(model, target);
    }

    // Copies a text. A page from the disk may not use the clipboard directly in every browser.
    async function copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        const field = make('textarea', { readonly: true });
        field.value = text;
        document.body.append(field);
        field.select();
        const isCopied = document.execCommand('copy');
        field.remove();
        return isCopied;
      }
    }
    """#
}
