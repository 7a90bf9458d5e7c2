/// The style of a page.
enum PageStyle {
  static let text = #"""
    :root {
      --back: #ffffff; --side: #f7f7f8; --line: #e3e4e8; --text: #1d1f24; --faint: #6b7180; --hover: #f0f2f6;
      --chosen: #dfe9fd; --accent: #2459d3; --key: #374ea0; --string: #1b6e3c; --number: #a04400;
      --class: #7a2f9c; --class-back: #f4ebf9; --mark: #ffe27a; --mark-now: #ffb02e;
      --added: #dff5e3; --removed: #fde4e3; --changed: #fff1cf; --moved: #e4ecff;
      --added-line: #2e9a4d; --removed-line: #d2433d; --changed-line: #cf9411; --moved-line: #4a72dd;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      color-scheme: light dark;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #16181d; --side: #1c1f25; --line: #2e323b; --text: #e4e6eb; --faint: #969dab; --hover: #22262e;
        --chosen: #23365e; --accent: #86adff; --key: #9db6ff; --string: #86d69b; --number: #f0a875;
        --class: #d9a8f0; --class-back: #33233d; --mark: #6b5600; --mark-now: #a06a00;
        --added: #16351f; --removed: #431f21; --changed: #3c3014; --moved: #1f2d52;
        --added-line: #4fc06f; --removed-line: #f0716c; --changed-line: #e0b04a; --moved-line: #86a8ff;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body { display: flex; flex-direction: column; background: var(--back); color: var(--text);
      font: 14px/1.45 var(--sans); }
    button, input { font: inherit; color: inherit; }
    button { background: none; border: 1px solid var(--line); border-radius: 6px; padding: 2px 9px; cursor: pointer; }
    button:hover { background: var(--hover); }
    button:disabled { opacity: .4; cursor: default; }
    button.link { border: 0; padding: 0; border-radius: 3px; color: var(--accent); text-align: start;
      overflow-wrap: anywhere; }
    button.link:hover { background: none; text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    code, pre, .tree, .mono { font-family: var(--mono); font-size: 12.5px; }
    noscript { padding: 2em; }

    header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 18px; padding: 8px 16px;
      border-bottom: 1px solid var(--line); background: var(--side); }
    h1 { font-size: 15px; font-weight: 650; margin: 0; min-width: 0; max-width: 34vw; overflow: hidden;
      text-overflow: ellipsis; white-space: nowrap; }
    nav { display: flex; gap: 2px; }
    nav:empty { display: none; }
    nav button { border-color: transparent; color: var(--faint); padding: 4px 11px; }
    nav button[aria-selected=true] { background: var(--back); border-color: var(--line); color: var(--text); }
    nav small { color: var(--faint); margin-inline-start: 4px; font-size: 11.5px; font-variant-numeric: tabular-nums; }
    #searching { display: flex; align-items: center; gap: 6px; margin-inline-start: auto; min-width: 0; }
    #search { width: 17em; min-width: 5em; flex: 0 1 auto; padding: 4px 10px; border: 1px solid var(--line);
      border-radius: 6px; background: var(--back); }
    #found { color: var(--faint); font-size: 12.5px; white-space: nowrap; font-variant-numeric: tabular-nums; }

    main { flex: 1; min-height: 0; display: flex; }
    main > section { flex: 1; min-width: 0; overflow: auto; }
    #values { display: flex; overflow: hidden; }
    #trees { flex: 1; min-width: 0; display: flex; }
    .pane { flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; }
    .pane + .pane { border-inline-start: 1px solid var(--line); }
    .pane h2 { margin: 0; padding: 6px 16px; font-size: 12.5px; font-weight: 600; color: var(--faint);
      border-bottom: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .tree { flex: 1; overflow: auto; position: relative; padding: 0; outline: none; }
    .tree:focus-visible .row[aria-selected=true] { box-shadow: inset 3px 0 var(--accent); }
    .tree .space { position: relative; min-width: 100%; }
    .row { position: absolute; left: 0; right: 0; height: 24px; line-height: 24px; padding-inline-end: 12px; white-space: pre;
      overflow: hidden; text-overflow: ellipsis; cursor: default; }
    .row:hover { background: var(--hover); }
    .row[aria-selected=true] { background: var(--chosen); }
    .toggle { display: inline-block; width: 18px; text-align: center; color: var(--faint); font-size: 10px; }
    .row[aria-expanded] .toggle { cursor: pointer; }
    .key { color: var(--key); }
    .index, .faint { color: var(--faint); }
    .string { color: var(--string); }
    .number { color: var(--number); }
    .class { color: var(--class); background: var(--class-back); border-radius: 4px; padding: 1px 5px; }
    .class.list { color: var(--faint); background: none; border: 1px solid var(--line); padding: 0 4px; }
    .file { color: var(--faint); border: 1px dashed var(--faint); border-radius: 4px; padding: 0 4px; }
    .id { color: var(--class); opacity: .8; }
    .row .follow { border: 0; padding: 0 2px; color: var(--accent); font: inherit; }
    .row .follow:hover { text-decoration: underline; background: none; }
    .row img { height: 18px; max-width: 40px; object-fit: contain; vertical-align: -4px; margin-inline-end: 5px; border-radius: 2px; }
    .swatch { display: inline-block; width: 13px; height: 13px; border-radius: 3px; vertical-align: -2px;
      margin-inline-end: 5px; box-shadow: inset 0 0 0 1px rgb(128 128 128 / .45); background: var(--paint) padding-box; }
    .checkered { background: conic-gradient(#bbb 25%, #fff 0 50%, #bbb 0 75%, #fff 0) 0 0 / 10px 10px; }
    mark { background: var(--mark); color: inherit; border-radius: 2px; }
    [aria-selected=true] mark { background: var(--mark-now); }
    .row.added { background: var(--added); box-shadow: inset 3px 0 var(--added-line); }
    .row.removed { background: var(--removed); box-shadow: inset 3px 0 var(--removed-line); }
    .row.changed { background: var(--changed); box-shadow: inset 3px 0 var(--changed-line); }
    .row.moved { background: var(--moved); box-shadow: inset 3px 0 var(--moved-line); }
    .row.within { box-shadow: inset 3px 0 var(--line); }
    .row[aria-selected=true].added, .row[aria-selected=true].removed, .row[aria-selected=true].changed,
    .row[aria-selected=true].moved { outline: 1.5px solid var(--accent); outline-offset: -1.5px; }

    #details { width: 380px; flex: none; overflow: auto; border-inline-start: 1px solid var(--line); background: var(--side);
      padding: 14px 16px 32px; }
    #details h2 { margin: 0 0 2px; font-size: 15px; font-weight: 650; overflow-wrap: anywhere; }
    #details h3, .page h3 { margin: 20px 0 6px; font-size: 11.5px; font-weight: 650; color: var(--faint); letter-spacing: .04em;
      text-transform: uppercase; }
    #details p { margin: 2px 0; }
    .path { display: flex; gap: 8px; align-items: flex-start; margin-top: 12px; }
    .path code { flex: 1; padding: 4px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--back);
      overflow-wrap: anywhere; min-width: 0; }
    #details pre { margin: 0; padding: 8px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--back);
      white-space: pre-wrap; overflow-wrap: anywhere; max-height: 45vh; overflow: auto; }
    #details .picture { display: block; max-width: 100%; max-height: 40vh; border: 1px solid var(--line); border-radius: 6px;
      margin-top: 8px; }
    #details .paint { height: 76px; border-radius: 8px; box-shadow: inset 0 0 0 1px rgb(128 128 128 / .35); overflow: hidden;
      margin-top: 10px; }
    #details .paint > div { height: 100%; }
    #details ul { list-style: none; margin: 0; padding: 0; }
    #details li { padding: 3px 0; border-bottom: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; }
    #details li:last-child { border-bottom: 0; }
    #details table { border-collapse: collapse; width: 100%; table-layout: fixed; }
    #details td { padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow: hidden;
      text-overflow: ellipsis; white-space: nowrap; }
    #details td:first-child { width: 46%; }
    #details td .link { display: block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; overflow-wrap: normal; }
    .changes button { display: block; width: 100%; border: 0; border-inline-start: 3px solid; border-radius: 0 4px 4px 0; padding: 4px 9px;
      margin-bottom: 3px; text-align: start; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .changes .added { background: var(--added); border-color: var(--added-line); }
    .changes .removed { background: var(--removed); border-color: var(--removed-line); }
    .changes .changed { background: var(--changed); border-color: var(--changed-line); }
    .changes .moved { background: var(--moved); border-color: var(--moved-line); }
    .changes [aria-current=true] { outline: 2px solid var(--accent); outline-offset: -2px; }
    #selection { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); }
    #selection:empty { display: none; }
    .counts { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 10px; }
    .counts span { padding: 2px 9px; border-radius: 20px; font-size: 12.5px; }
    .counts .added { background: var(--added); } .counts .removed { background: var(--removed); }
    .counts .changed { background: var(--changed); } .counts .moved { background: var(--moved); }
    .steps { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; }
    .steps label { margin-inline-start: auto; color: var(--faint); font-size: 12.5px; }

    .page { max-width: 920px; margin: 0 auto; padding: 22px 24px 60px; }
    .page dl { display: grid; grid-template-columns: max-content 1fr; gap: 7px 22px; margin: 0; }
    .page dt { color: var(--faint); } .page dd { margin: 0; overflow-wrap: anywhere; }
    .page details { border-bottom: 1px solid var(--line); padding: 8px 0; }
    .page summary { cursor: pointer; display: flex; gap: 12px; align-items: baseline; }
    .page .count { min-width: 4.5em; text-align: end; font-variant-numeric: tabular-nums; color: var(--number); }
    .page .chain { color: var(--faint); font-size: 12.5px; overflow-wrap: anywhere; }
    .page table { border-collapse: collapse; margin: 8px 0 6px 5.7em; }
    .page td { padding: 2px 20px 2px 0; vertical-align: top; overflow-wrap: anywhere; }
    .page td.count { min-width: 3em; }
    .page summary button { margin-inline-start: auto; font-size: 12.5px; white-space: nowrap; }
    .page .warnings { margin: 0; padding-inline-start: 1.2em; color: var(--number); overflow-wrap: anywhere; }

    #graph { padding: 24px; }
    #graph svg { display: block; margin: 0 auto; height: auto; font: 12.5px var(--sans); }
    #graph .box rect { fill: var(--side); stroke: var(--line); stroke-width: 1.2; }
    #graph .box { cursor: pointer; }
    #graph .box:hover rect, #graph .box:focus rect { stroke: var(--accent); stroke-width: 2; }
    #graph .box .name { fill: var(--class); font-weight: 600; }
    #graph .box .number { fill: var(--faint); font-size: 11.5px; }
    #graph .box.start rect { fill: var(--class-back); }
    #graph .edge path { fill: none; stroke: var(--faint); opacity: .55; }
    #graph .edge.back path { stroke: var(--accent); stroke-dasharray: 5 4; }
    #graph .edge text { fill: var(--faint); font-size: 11px; paint-order: stroke; stroke: var(--back); stroke-width: 4px;
      text-anchor: middle; font-variant-numeric: tabular-nums; }
    #graph svg.focused .edge { opacity: .15; }
    #graph svg.focused .edge.near { opacity: 1; }
    #graph svg.focused .edge.near path { opacity: 1; stroke: var(--accent); }
    #graph p { color: var(--faint); text-align: center; max-width: 60em; margin: 14px auto; }

    @media (max-width: 860px) {
      header { padding: 8px 10px; gap: 6px 10px; }
      h1 { max-width: 100%; flex: 1 0 100%; }
      #searching { flex: 1 1 14em; margin: 0; }
      #search { flex: 1 1 8em; width: auto; }
      #values { flex-direction: column; }
      #trees { flex: 1 1 60%; min-height: 0; }
      #details { width: auto; flex: 1 1 40%; min-height: 0; border-inline-start: 0; border-top: 1px solid var(--line); }
      .page { padding: 14px 12px 40px; }
      .page table { margin-inline-start: 0; }
    }
    @media (max-width: 620px) {
      .two#trees { flex-direction: column; }
      .pane + .pane { border-inline-start: 0; border-top: 1px solid var(--line); }
    }
    """#
}
