/** The look of the pages: one small sheet, system fonts, light and dark through variables that html-page.ts sets. */

export const PAGE_STYLE = `
:root{--page:#f5f6f9;--card:#fff;--ink:#161a22;--soft:#5a6475;--line:#cfd5df;--field:#fff;--bad:#a3221b;--bad-page:#fdeeed}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem 1rem;background:var(--page);color:var(--ink)}
main{width:100%;max-width:25rem;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2.25rem 2rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .35rem;font-weight:650;letter-spacing:-.01em}
p{margin:0 0 1rem}
.lead{color:var(--soft);margin-bottom:1.5rem}
.logo{margin:0 0 1.25rem}.logo-dark{display:none}
label{display:block;font-weight:550;font-size:.925rem;margin:0 0 .35rem}
.field{margin:0 0 1.1rem}
.hint{color:var(--soft);font-size:.85rem;margin:.35rem 0 0}
input:not([type=hidden]):not([type=checkbox]){width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--soft);border-radius:9px;padding:.65rem .8rem;min-height:2.9rem}
input[aria-invalid=true]{border-color:var(--bad)}
button,.button{display:block;width:100%;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border-radius:9px;border:1px solid transparent;padding:.7rem 1rem;min-height:2.9rem;background:var(--accent);color:var(--on-accent);margin-top:1.4rem}
button.quiet,.button.quiet{background:transparent;color:inherit;border-color:var(--soft);margin-top:.7rem}
button:hover,.button:hover{filter:brightness(1.08)}
a{color:inherit;text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.problem{background:var(--bad-page);color:var(--bad);border-radius:9px;padding:.75rem .9rem;margin:0 0 1.25rem}
.problem ul{margin:0;padding-left:1.1rem}
.aside{margin:1.5rem 0 0;color:var(--soft);font-size:.95rem;text-align:center}
.aside a{color:var(--ink)}
ul.scopes{list-style:none;margin:0 0 1.25rem;padding:0;border:1px solid var(--line);border-radius:9px}
ul.scopes li{padding:.7rem .9rem;border-top:1px solid var(--line)}
ul.scopes li:first-child{border-top:0}
ul.scopes small{display:block;color:var(--soft)}
footer{margin-top:1.5rem;color:var(--soft);font-size:.85rem;text-align:center}
footer a{margin:0 .5rem}
@media(max-width:26rem){body{padding:0;place-items:start stretch;background:var(--card)}main{border:0;border-radius:0;padding:2rem 1.25rem;max-width:none}}
`
