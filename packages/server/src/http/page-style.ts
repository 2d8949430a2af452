/** The look of the pages: one small sheet, system fonts, light and dark through variables that html-page.ts sets. */

export const PAGE_STYLE = `
:root{--page:#f3f4f7;--card:#fff;--ink:#14171d;--soft:#565f6e;--line:#dfe3ea;--edge:#858e9d;--field:#fff;--bad:#a3221b;--bad-page:#fdf0ef;--tint:#f5f6f9;--shadow:0 1px 2px #14171d0d,0 12px 32px -12px #14171d24}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:2rem 1rem;background:var(--page);color:var(--ink)}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:16px;box-shadow:var(--shadow);padding:2.5rem 2.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .4rem;font-weight:650;letter-spacing:-.015em;overflow-wrap:anywhere;text-wrap:balance}
h2,h3{font-size:1rem;font-weight:600;margin:0 0 .5rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
main>:last-child,form>:last-child{margin-block-end:0}
.lead{color:var(--soft);margin-block-end:1.75rem}
.lead strong{color:var(--ink);font-weight:600}
.logo{margin:0 0 1.75rem;line-height:0}.logo img{max-width:100%;object-fit:contain}.logo-dark{display:none}
label{display:block;font-weight:550;font-size:.925rem;margin:0 0 .4rem}
.field{margin:0 0 1.15rem}
.hint{color:var(--soft);font-size:.875rem;margin:.4rem 0 0}
input:not([type=hidden]):not([type=checkbox]){width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:10px;padding:.7rem .85rem;min-height:3rem}
input[aria-invalid=true]:not([type=hidden]){border-color:var(--bad)}
.secret{position:relative}
.secret input:not([type=hidden]){padding-inline-end:6.25rem}
.code-field:not([type=hidden]):not([type=checkbox]){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:1.5rem;letter-spacing:.12em;text-align:center;text-transform:uppercase}
.code-field::placeholder{color:var(--soft);opacity:.55}
button,.button{display:block;width:100%;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border-radius:10px;border:1px solid transparent;padding:.7rem 1rem;min-height:3rem;background:var(--accent);color:var(--on-accent);margin-block-start:1.6rem;overflow-wrap:anywhere;transition:filter .12s}
button+button,.button.quiet{margin-block-start:.75rem}
button.quiet,.button.quiet{background:transparent;color:inherit;border-color:var(--edge)}
button:hover,.button:hover{filter:brightness(1.08)}
button.quiet:hover,.button.quiet:hover,button.reveal:hover{filter:none;background:var(--tint)}
button.plain{background:transparent;color:var(--soft);font-weight:500;text-decoration:underline;text-underline-offset:.2em;margin-block:.5rem -.75rem!important}
button.plain:hover{filter:none;color:var(--ink)}
button.reveal{position:absolute;inset-block:2px;inset-inline-end:2px;width:auto;min-width:44px;min-height:0;margin:0;padding:0 .85rem;background:transparent;color:var(--soft);border-radius:8px;font-size:.875rem}
a{color:inherit;text-underline-offset:.2em}
:focus-visible{outline:2.5px solid var(--ink);outline-offset:2px}
input:not([type=hidden]):not([type=checkbox]):focus-visible{outline-offset:-1px;border-color:transparent}
.notice{background:var(--field);border:1px solid var(--line);border-radius:9px;padding:.75rem .9rem;margin:0 0 1.25rem}
.problem{background:var(--bad-page);color:var(--bad);border-radius:10px;padding:.8rem 1rem;margin:0 0 1.5rem}
.problem ul{margin:0;padding-inline-start:1.1rem}
.aside{margin:1.75rem 0 0;color:var(--soft);font-size:.95rem;text-align:center}
.aside a{color:var(--ink);font-weight:550;display:inline-block;padding:.75rem .25rem;margin-block:-.75rem}
ul.scopes{list-style:none;margin:0 0 1.5rem;padding:0;border:1px solid var(--line);border-radius:10px}
ul.scopes li{padding:.75rem 1rem;border-block-start:1px solid var(--line);overflow-wrap:anywhere}
ul.scopes li:first-child{border-block-start:0}
ul.scopes small,.api small{display:block;color:var(--soft);font-size:.8125rem;font-weight:400}
.api{margin:0 0 1.5rem}.api .scopes{margin:0}.api :is(h2,h3){overflow-wrap:anywhere}
.choices{border:1px solid var(--line);border-radius:10px;margin:0 0 1.5rem;padding:.5rem 1rem}
.choices legend{font-weight:550;font-size:.925rem;padding:0 .35rem;margin-inline-start:-.35rem}
.choices label{display:flex;gap:.6rem;align-items:center;min-height:2.75rem;margin:0;font-weight:400;cursor:pointer;overflow-wrap:anywhere;min-width:0}
.choices input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--accent)}
.user-code{background:var(--tint);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:0 0 1.5rem;text-align:center;color:var(--soft);font-size:.875rem}
.user-code strong{display:block;font:600 1.75rem/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.12em;color:var(--ink)}
.warning{border-inline-start:3px solid var(--edge);padding-inline-start:.9rem;margin:0 0 1.5rem;font-size:.95rem}
.account{display:flex;gap:.9rem;align-items:center;border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;margin:0 0 1.5rem}
.account span{overflow-wrap:anywhere;min-width:0}
.account b{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;background:var(--accent);color:var(--on-accent);font-weight:600}
.done{display:grid;place-items:center;width:3.25rem;height:3.25rem;border-radius:50%;background:var(--accent);color:var(--on-accent);margin:0 0 1.5rem}
code{font:.8125rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:0 1.5rem;margin-block-start:1rem;color:var(--soft);font-size:.875rem}
footer a{padding:.8rem .25rem;min-width:44px;text-align:center}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
@media(max-width:30rem){body{padding:0;justify-content:flex-start;background:var(--card)}main{border:0;border-radius:0;box-shadow:none;padding:2.25rem 1.25rem 1.5rem;max-width:none}footer{margin-block-start:auto;padding:1rem}}
@media(forced-colors:active){button,.button{border-color:ButtonText}}
`
