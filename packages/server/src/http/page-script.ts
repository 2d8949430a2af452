/**
 * The scripts of pages: comfort only, every page works without them. A page holds the script that it needs as text; the
 * policy of the page allows exactly that one, by its hash.
 */
import { hash } from 'node:crypto'
import { html, type SafeHtml } from '@remix-run/html-template'

/** A button beside each password that shows and hides it; what is sent is a password again, so that nothing remembers it. */
const SHOW_PASSWORD = `for(const i of document.querySelectorAll('input[data-show]')){const d=i.dataset,b=document.createElement('button');b.type='button';b.className='reveal';const set=s=>{i.type=s?'text':'password';b.textContent=s?d.hide:d.show;b.setAttribute('aria-label',s?d.hideLabel:d.showLabel)};set(false);b.onclick=()=>set(i.type==='password');i.form.addEventListener('submit',()=>set(false));i.after(b)}`
/**
 * A form is sent once however often its button is pressed: its buttons are disabled after it is sent, until the page is
 * shown again or, where the answer led out of the browser and the page stays, for ten seconds.
 */
const SEND_ONCE = `(()=>{const all=on=>{for(const b of document.querySelectorAll('button'))b.disabled=!on};addEventListener('submit',e=>{if(!e.defaultPrevented)setTimeout(()=>{all(false);setTimeout(all,1e4,true)})});addEventListener('pageshow',()=>all(true))})()`
/** OAuth 2.0 Form Post Response Mode. */
const SUBMIT = `document.forms[0].submit()`

const PAGE_SCRIPTS = { SHOW_PASSWORD, SEND_ONCE, SUBMIT } as const

/** The element; it stands at the end of what it works on. */
export const pageScript = (name: keyof typeof PAGE_SCRIPTS): SafeHtml =>
  html`<script>${html.raw`${PAGE_SCRIPTS[name]}`}</script>`

const allowed = Object.values(PAGE_SCRIPTS).map((text) => ({
  element: `<script>${text}</script>`,
  source: `'sha256-${hash('sha256', text, 'base64')}'`,
}))

/** The `script-src` of a document: the hashes of the scripts of ours that it holds. */
export const scriptSources = (document: string): string =>
  allowed
    .filter(({ element }) => document.includes(element))
    .map(({ source }) => ` ${source}`)
    .join('')
