/// The part of a page's script that lists the classes with their keys, the keys of dictionaries, and the facts about the file.
enum ClassesScript {
  static let text = #"""
    const mostClasses = 2000;

    function keyTable(keys) {
      return make('table', {}, make('tbody', {}, ...keys.map(key => make('tr', {},
        make('td', { class: 'count' }, key.count.toLocaleString('en')), make('td', { class: 'mono' }, visible(key.name)),
        make('td', { class: 'faint' }, visible(key.types.length === 1 ? key.types[0].replace(/ \d+$/, '') : key.types.join(', ')))))));
    }

    // The classes of the inspection, and those in documents inside data, which are counted here.
    function allClasses(data, model) {
      const known = new Set(data.classes.map(type => type.name));
      const found = new Map();
      for (const [row, object] of model.objects) {
        if (!object.type || known.has(object.type.name)) continue;
        const { name, superclasses } = object.type;
        if (!found.has(name)) found.set(name, { name, superclasses, count: 0, keys: new Map() });
        const type = found.get(name);
        type.count++;
        for (const part of model.kinds[row] === 'o' ? model.parts(row) : []) {
          const key = model.key(part);
          if (!type.keys.has(key)) type.keys.set(key, { name: key, count: 0, types: new Map() });
          const entry = type.keys.get(key);
          const kind = model.type(part)?.name ?? kindNames[model.kinds[part]];
          entry.count++;
          entry.types.set(kind, (entry.types.get(kind) ?? 0) + 1);
        }
      }
      const others = [...found.values()].map(type => ({ ...type,
        keys: [...type.keys.values()].map(key => ({ ...key, types: [...key.types].map(([kind, count]) => `${kind} ${count}`) })) }));
      return [...data.classes, ...others].sort((a, b) => b.count - a.count);
    }

    // Fills the view of classes; `find` searches the objects of a class.
    function showClasses(element, data, find) {
      const page = make('div', { class: 'page' });
      for (const type of data.classes.slice(0, mostClasses)) {
        const button = make('button', { type: 'button', onclick: event => { event.preventDefault(); find(type.name); } }, 'Show objects');
        page.append(make('details', { 'data-class': type.name },
          make('summary', {}, make('span', { class: 'count' }, type.count.toLocaleString('en')),
            make('span', { class: 'class' }, visible(type.name)),
            make('span', { class: 'chain' }, type.superclasses.map(name => `▸ ${visible(name)}`).join(' ')), button),
          ...(type.keys.length ? [keyTable(type.keys), ...more(type.keysLeft ?? 0)] : [make('p', { class: 'faint' }, 'Objects of this class have no keys.')])));
      }
      page.append(...more(data.classes.length - mostClasses));
      if (data.keys.length) page.append(make('h3', {}, 'Keys of dictionaries'), keyTable(data.keys), ...more(data.keysLeft));
      element.replaceChildren(page);
    }

    function showFile(element, data) {
      const facts = data.facts.flatMap(fact => [make('dt', {}, fact.label), make('dd', {}, visible(fact.text))]);
      const warnings = data.warnings.map(warning => make('li', {}, visible(warning)));
      element.replaceChildren(make('div', { class: 'page' }, make('dl', {}, ...facts),
        ...(warnings.length ? [make('h3', {}, 'Warnings'), make('ul', { class: 'warnings' }, ...warnings)] : [])));
    }
    """#
}
