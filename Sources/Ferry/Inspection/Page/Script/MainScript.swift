/// The part of a page's script that puts the views together and begins.
enum MainScript {
  static let text = #"""
    const data = JSON.parse(document.getElementById('data').textContent);
    const byId = id => document.getElementById(id);
    const shortName = name => name.split('/').pop() || name;
    const isDifference = 'versions' in data;
    byId('title').textContent = isDifference ? data.versions.map(version => shortName(version.name)).join(' → ') : shortName(data.title);
    byId('title').title = data.title;

    const host = {
      needle: () => search?.needle ?? '',
      mark: (tree, row) => differences?.mark(tree, row) ?? '',
      shows: isDifference ? (tree, row) => differences?.shows(tree, row) ?? true : null,
      select: (tree, row) => details.show(tree, row),
      follow: (tree, row) => follow(tree, tree.model.target(row)),
    };
    const paneName = name => new Set(data.versions.map(version => shortName(version.name))).size > 1 ? shortName(name) : name;
    let search = null;
    let differences = null;
    const trees = (isDifference ? data.versions : [{ name: data.title, values: data.values }]).map((version, index) => {
      const tree = new Tree(new Model(version.values), isDifference ? ['old', 'new'][index] : 'tree', host);
      tree.element.setAttribute('aria-label', version.name);
      tree.references = new References(tree.model);
      byId('trees').append(make('div', { class: 'pane' }, isDifference ? make('h2', { title: version.name }, paneName(version.name)) : null, tree.element));
      return tree;
    });
    if (isDifference) byId('trees').className = 'two';

    // MARK: Views

    const views = isDifference ? [] : [['values', 'Values', null]];
    if (!isDifference) {
      data.classes = allClasses(data, trees[0].model);
      if (data.classes.length) views.push(['classes', 'Classes', data.classes.length]);
      else if (data.keys.length) views.push(['classes', 'Keys', data.keys.length + data.keysLeft]);
      if (trees[0].model.classes.length) views.push(['graph', 'Graph', null]);
      views.push(['file', 'File', data.warnings.length || null]);
    }
    let graphIsDrawn = false;

    function showView(name) {
      for (const [view] of views) {
        byId(view).hidden = view !== name;
        byId(`view-${view}`).setAttribute('aria-selected', `${view === name}`);
        byId(`view-${view}`).tabIndex = view === name ? 0 : -1;
      }
      if (name === 'graph' && !graphIsDrawn) {
        graphIsDrawn = true;
        showGraph(byId('graph'), trees[0].model, chooseClass);
      }
    }

    for (const [view, name, count] of views) {
      byId('views').append(make('button', { type: 'button', role: 'tab', id: `view-${view}`, 'aria-controls': view, onclick: () => showView(view) },
        name, count === null ? null : make('small', {}, count.toLocaleString('en'))));
    }
    byId('views').addEventListener('keydown', event => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const at = views.findIndex(([view]) => byId(`view-${view}`) === document.activeElement);
      const [next] = views[(at + by + views.length) % views.length];
      showView(next);
      byId(`view-${next}`).focus();
    });

    function chooseClass(name) {
      showView('classes');
      for (const entry of byId('classes').querySelectorAll('details')) {
        if (entry.dataset.class !== name) continue;
        entry.open = true;
        entry.scrollIntoView({ block: 'center' });
        entry.querySelector('summary').focus();
      }
    }

    // MARK: Going to values

    const details = new Details(isDifference ? make('div', { id: 'selection' }) : byId('details'), data.hasPaths !== 0,
      (tree, row) => follow(tree, row));

    function go(tree, row) {
      if (views.length) showView('values');
      tree.reveal(row);
    }

    // Goes to a value so that the browser's Back returns to the one before.
    function follow(tree, row) {
      if (row < 0) return;
      const name = target => `#${tree.name}-${target}`;
      if (tree.selected >= 0 && location.hash !== name(tree.selected)) location.replace(name(tree.selected));
      location.hash = name(row);
      go(tree, row);
      tree.element.focus();
    }

    function goToHash() {
      const match = /^#(tree|old|new)-(\d+)$/.exec(location.hash);
      const tree = match && trees.find(tree => tree.name === match[1]);
      if (!tree || Number(match[2]) >= tree.model.count) return false;
      if (tree.selected !== Number(match[2])) go(tree, Number(match[2]));
      return true;
    }
    window.addEventListener('hashchange', goToHash);

    // MARK: Search

    search = new Search(trees, byId('found'), go);
    const field = byId('search');
    let typing = 0;
    let searched = '';
    const searchNow = () => {
      clearTimeout(typing);
      if (field.value !== searched) { searched = field.value; search.find(searched); }
    };
    field.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(searchNow, 180); });
    field.addEventListener('keydown', event => {
      if (event.key === 'Enter' && event.shiftKey) { event.preventDefault(); searchNow(); search.step(-1); }
      if (event.key === 'Escape') { field.value = ''; searchNow(); trees[0].element.focus(); }
    });
    byId('searching').addEventListener('submit', event => { event.preventDefault(); searchNow(); search.step(1); });
    byId('previous').addEventListener('click', () => { searchNow(); search.step(-1); });
    document.addEventListener('keydown', event => {
      if (event.target.matches('input, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '/') { event.preventDefault(); field.focus(); field.select(); }
      else if (differences && event.key === 'n') differences.step(1);
      else if (differences && event.key === 'p') differences.step(-1);
    });

    // MARK: Beginning

    if (isDifference) {
      const side = byId('details');
      differences = new Differences(data.changes, trees, side);
      differences.show();
      if (data.otherFiles.length) {
        side.append(make('h3', {}, 'Other files'), make('ul', {}, ...data.otherFiles.map(line => make('li', { class: 'mono' }, visible(line)))));
      }
      side.append(details.element);
      differences.open();
      if (data.changes.length) differences.go(0);
    } else {
      showClasses(byId('classes'), data, name => {
        field.value = '';
        searched = '';
        search.findClass(name);
        search.step(1);
      });
      showFile(byId('file'), data);
      showView('values');
      const [tree] = trees;
      tree.openFirst(30);
      if (!goToHash() && tree.model.count) tree.select(0);
      tree.element.focus({ preventScroll: true });
    }
    document.documentElement.dataset.ready = 'true';
    """#
}
