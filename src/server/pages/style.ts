/** The style sheet: system fonts, one column on a phone, light and dark by the reader's setting. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1d2021; --soft: #5c6166; --line: #dfe1dc; --link: #1a4fa3; --seen: #6b3f92;
  --mark: #fff0b3; --accent: #a8641a; --field: #fff; --bad: #a3271a; --good: #2d6a33;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181a; --ink: #e6e6e3; --soft: #a0a5aa; --line: #33373b; --link: #8db8ff; --seen: #c9a6ee;
    --mark: #5a4a12; --accent: #e0a35c; --field: #1f2225; --bad: #ff9a8d; --good: #8fd197;
  }
}
* { box-sizing: border-box; }
html { font: 17px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; background: var(--paper); color: var(--ink); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
a:visited { color: var(--seen); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.searchbox :focus-visible { outline-offset: -2px; } .searchbox button:focus-visible { outline-color: var(--ink); }
.skip { position: absolute; left: -10000px; } .skip:focus { left: 0.5rem; top: 0.5rem; background: var(--paper); padding: 0.3rem 0.6rem; }
.hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.top { display: flex; gap: 1.2rem; align-items: center; padding: 0.9rem 1.2rem; border-bottom: 1px solid var(--line); }
.top.start { flex-direction: column; border: 0; padding-top: 18vh; gap: 1.6rem; }
.brand { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 650; font-size: 1.25rem; color: var(--ink); }
.brand:visited { color: var(--ink); }
.top.start .brand { font-size: 2.4rem; } .top.start .brand img { width: 52px; height: 52px; }
.searchbox { display: flex; flex: 1; max-width: 44rem; width: 100%; }
.searchbox input { flex: 1; min-width: 0; font: inherit; padding: 0.55rem 0.9rem; color: var(--ink); background: var(--field); border: 1px solid var(--line); border-right: 0; border-radius: 0.6rem 0 0 0.6rem; }
.searchbox button, button, .button { font: inherit; padding: 0.55rem 1.1rem; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); border-radius: 0 0.6rem 0.6rem 0; cursor: pointer; }
button, .button { border-radius: 0.6rem; }
main { flex: 1; width: 100%; max-width: 68rem; padding: 0.4rem 1.2rem 2rem; }
.section-search main { padding-left: 1.2rem; }
.top.start + main { align-self: center; max-width: 44rem; text-align: center; }
.hint, .count, .note, .about { color: var(--soft); font-size: 0.88rem; }
.note { border-left: 3px solid var(--accent); padding-left: 0.7rem; }
.columns { display: grid; grid-template-columns: minmax(0, 44rem) 14rem; gap: 2.5rem; }
.hits { list-style: none; margin: 0; padding: 0; }
.hit { margin: 0 0 1.5rem; }
.hit h2 { font-size: 1.15rem; line-height: 1.3; font-weight: 550; margin: 0; overflow-wrap: anywhere; }
.address { margin: 0.1rem 0; font-size: 0.85rem; color: var(--good); overflow-wrap: anywhere; }
.snippet { margin: 0.15rem 0; overflow-wrap: anywhere; }
.about { margin: 0; }
mark { background: var(--mark); color: inherit; font-weight: 600; padding: 0 0.1em; border-radius: 0.15em; }
.flag { color: var(--bad); font-weight: 600; }
.facets h2 { font-size: 0.85rem; text-transform: uppercase; letter-spacing: 0.05em; color: var(--soft); margin: 0.4rem 0 0.2rem; }
.facets ul { list-style: none; margin: 0 0 1rem; padding: 0; font-size: 0.9rem; }
.facets li { display: flex; justify-content: space-between; gap: 0.5rem; overflow-wrap: anywhere; }
.facets span { color: var(--soft); }
.pager { display: flex; gap: 2rem; padding: 0.5rem 0 1rem; }
.empty h1 { font-size: 1.3rem; }
.foot { border-top: 1px solid var(--line); padding: 0.7rem 1.2rem; font-size: 0.85rem; }
.foot nav { display: flex; gap: 1.4rem; flex-wrap: wrap; } .foot a { color: var(--soft); }
.page { max-width: 50rem; } .page h1 { font-size: 1.6rem; } .page h2 { font-size: 1.15rem; margin-top: 1.8rem; }
code, pre { font-family: ui-monospace, 'Cascadia Mono', Menlo, monospace; font-size: 0.9em; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.7rem; background: var(--field); }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; } th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.8rem; margin: 1rem 0; }
.card { border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.6rem 0.8rem; background: var(--field); }
.card b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; } .card span { color: var(--soft); font-size: 0.85rem; }
.bad { color: var(--bad); } .good { color: var(--good); }
form.line { display: flex; gap: 0.6rem; flex-wrap: wrap; margin: 0.6rem 0; } form.line input { font: inherit; padding: 0.45rem 0.7rem; flex: 1; min-width: 12rem; color: var(--ink); background: var(--field); border: 1px solid var(--line); border-radius: 0.5rem; }
.bar { display: flex; height: 1.1rem; border-radius: 0.4rem; overflow: hidden; border: 1px solid var(--line); }
@media (max-width: 46rem) {
  .top { flex-wrap: wrap; gap: 0.6rem; padding: 0.7rem 0.9rem; }
  main { padding: 0.4rem 0.9rem 1.5rem; }
  .columns { display: block; }
  .facets { border-top: 1px solid var(--line); margin-top: 1rem; }
}
@media print { .searchbox, .facets, .pager, .foot { display: none; } }
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M6 26c0 18 11 30 26 30s26-12 26-30z" fill="#a8641a"/><path d="M6 26h52" stroke="#6d3f0e" stroke-width="4" stroke-linecap="round"/><g fill="#e0b04a"><circle cx="22" cy="17" r="4"/><circle cx="34" cy="11" r="4"/><circle cx="43" cy="19" r="3.4"/><circle cx="31" cy="20" r="3"/></g></svg>`;
