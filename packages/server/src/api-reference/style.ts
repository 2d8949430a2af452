/** The style sheet of the page: the system's own fonts, light and dark, from 360 pixels upwards. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --tint: #f6f7f9; --line: #dfe3e8; --ink: #1c2430; --soft: #56606d; --accent: #1d4f91;
  --get: #1d4f91; --post: #1b6b3a; --put: #8a4b00; --patch: #6a3a9c; --delete: #a8201a; --var: #8a4b00;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --tint: #1a2028; --line: #2f3843; --ink: #e3e7ec; --soft: #a3adb9; --accent: #8ab8f5;
    --get: #8ab8f5; --post: #7fd0a0; --put: #f0b66b; --patch: #c9a6f2; --delete: #f59a94; --var: #f0b66b;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; }
header { display: flex; flex-wrap: wrap; white-space: nowrap; font-size: .875rem; justify-content: space-between; gap: 0 1rem; padding: .875rem 1.25rem; border-bottom: 1px solid var(--line); }
header p { margin: 0; }
header p + p, header span { color: var(--soft); }
header a { color: inherit; text-decoration: none; }
header span { margin-left: .5rem; padding-left: .75rem; border-left: 1px solid var(--line); }
.columns { max-width: 80rem; margin: 0 auto; }
main { padding: 2rem 1.25rem 6rem; min-width: 0; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; }
h1 { font-size: 2.125rem; letter-spacing: -.02em; }
h1 + .operation { margin-top: 2rem; }
h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 4rem 0 1rem; }
h3 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
h4 { font-size: .9375rem; margin: 2rem 0 .5rem; }
h5 { font-size: .875rem; color: var(--soft); margin: 1.25rem 0 .5rem; }
p { margin: 0 0 1rem; max-width: 68ch; }
.lead { font-size: 1.1875rem; color: var(--soft); margin-top: .75rem; }
code, pre { font-family: var(--mono); font-size: .875em; }
p code, td code, .fields p code { background: var(--tint); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre {
  margin: 0 0 1rem; padding: 1rem 1.125rem; overflow-x: auto; background: var(--tint); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.55; font-size: .8125rem; tab-size: 2;
}
pre code { font-size: inherit; }

.side { display: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .25rem .625rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
nav a[aria-current] { font-weight: 600; color: var(--accent); }
nav a:hover { background: var(--tint); color: var(--accent); }
.menu { margin: 1rem 1.25rem 0; border: 1px solid var(--line); border-radius: 8px; }
.menu summary { padding: .625rem .875rem; font-weight: 600; }
.menu nav { padding: 0 .375rem .5rem; }
.menu a { padding: .5rem .625rem; }

summary { cursor: pointer; }
.operation { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .5rem; }
.operation[open] { margin-bottom: 1.5rem; }
.operation > summary { display: block; padding: .75rem 1rem; border-radius: 8px; }
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary:hover { background: var(--tint); }
.operation[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.operation h2 {
  display: grid; grid-template-columns: 4.25rem minmax(0, 1fr) 1rem; align-items: baseline; column-gap: .75rem;
  margin: 0; font-size: .9375rem; font-weight: 400; line-height: 1.5;
}
.operation h2 code { font-weight: 600; overflow-wrap: anywhere; }
.operation h2 span { grid-column: 2; color: var(--soft); }
.operation h2::after { content: '+'; grid-area: 1 / 3; color: var(--soft); font: 1.125rem/1 var(--mono); text-align: right; }
.operation[open] h2::after { content: '\\2212'; }
var { font-style: normal; color: var(--var); }
.operation h2 b { font: 600 .75rem/1.5 var(--mono); letter-spacing: .03em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.facts { padding: 1.25rem 1rem .5rem; scroll-margin-top: 7rem; }
.meta { display: flex; flex-wrap: wrap; gap: 0 2rem; font-size: .9375rem; color: var(--soft); }
.meta p { margin: 0; }
.status { margin-left: .25rem; font: 600 .8125rem var(--mono); color: var(--post); }
.kind { color: var(--soft); font-size: .9375rem; margin-bottom: .5rem; }

.fields { list-style: none; margin: 0 0 1rem; padding: 0; border-top: 1px solid var(--line); font-size: .9375rem; }
.fields li { padding: .625rem 0; border-bottom: 1px solid var(--line); }
.fields div { min-width: 0; overflow-wrap: anywhere; }
.fields div:first-child code { font-weight: 600; }
.fields em { font-style: normal; color: var(--soft); }
.fields b { font-size: .8125rem; font-weight: 500; color: var(--put); }
.fields i { font-size: .8125rem; font-style: normal; color: var(--soft); }
.fields p { margin: .125rem 0 0; }
.fields .fields { margin: .625rem 0 0; padding-left: 1rem; border: 0; border-left: 2px solid var(--line); }
.fields .fields li:last-child { border-bottom: 0; padding-bottom: 0; }

table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; font-size: .9375rem; }
th { text-align: left; font-size: .8125rem; color: var(--soft); font-weight: 600; }
th, td { padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
td:first-child { font: 600 .8125rem/1.8 var(--mono); width: 4rem; }

@media (max-width: 43.99rem) {
  .errors thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
  .operation h2 { grid-template-columns: 3.25rem minmax(0, 1fr) 1rem; column-gap: .5rem; }
  .errors tr { display: grid; grid-template-columns: 3rem minmax(0, 1fr); padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .errors td { padding: 0; border: 0; width: auto; }
  .errors td:last-child { grid-column: 2; }
}
@media (min-width: 44rem) {
  .fields li { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); column-gap: 1.5rem; }
  .fields .fields { grid-column: 1 / -1; }
  .fields .fields li { grid-template-columns: minmax(0, calc(15rem - 18px)) minmax(0, 1fr); }
  .fields .fields .fields li { grid-template-columns: minmax(0, calc(15rem - 36px)) minmax(0, 1fr); }
  .errors td:nth-child(2) { width: 46%; }
  .facts { padding: 1.25rem 1.25rem .5rem; scroll-margin-top: 5rem; }
}
@media (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  .menu { display: none; }
  main { padding: 2.5rem 2.5rem 8rem 3rem; max-width: 62rem; }
  .side {
    display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 3rem 1.5rem;
    border-right: 1px solid var(--line); font-size: .875rem; line-height: 1.4;
  }
  .side p { margin: 1.5rem .625rem .375rem; font-size: .75rem; font-weight: 600; color: var(--soft); }
  .tags > li > a { font-weight: 600; }
  .tags > li { margin-bottom: .75rem; }
  .tags ul a { color: var(--soft); }
  .tags ul a:hover { color: var(--accent); }
}
@media print {
  .side, .menu, .skip { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`
