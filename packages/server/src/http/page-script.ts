/**
 * The scripts of pages: for convenience only; every page works without them. A page contains the script that it needs
 * inline; the policy of the page allows exactly that one, by its hash.
 */
import { hash } from 'node:crypto'
import { html, type SafeHtml } from '@remix-run/html-template'

/**
 * A button next to each password that shows and hides it; the field is a password again when the form is sent, so that
 * browsers do not remember it.
 */
const SHOW_PASSWORD = `for(const i of document.querySelectorAll('input[data-show]')){const d=i.dataset,b=document.createElement('button');b.type='button';b.className='reveal';const set=s=>{i.type=s?'text':'password';b.textContent=s?d.hide:d.show;b.setAttribute('aria-label',s?d.hideLabel:d.showLabel)};set(false);b.onclick=()=>set(i.type==='password');i.form.addEventListener('submit',()=>set(false));i.after(b)}`
/**
 * A form is sent once however often its button is pressed: its buttons are disabled after it is sent, until the page
 * is shown again or, if the response opened another program and the page stays, for ten seconds.
 */
const SEND_ONCE = `(()=>{const all=on=>{for(const b of document.querySelectorAll('button'))b.disabled=!on};addEventListener('submit',e=>{if(!e.defaultPrevented)setTimeout(()=>{all(false);setTimeout(all,1e4,true)})});addEventListener('pageshow',()=>all(true))})()`
/** OAuth 2.0 Form Post Response Mode. */
const SUBMIT = `document.forms[0].submit()`

/**
 * A form whose button asks the browser for a passkey, and which brings what it gives. Where the browser cannot, or the person
 * would not, the form says so and can be tried again.
 */
const PASSKEY = `(()=>{const f=document.querySelector('form[data-passkey]'),d=f.dataset,b=f.querySelector('button'),e=document.getElementById('passkey-problem'),P=window.PublicKeyCredential,n=navigator.credentials,o=JSON.parse(d.passkey);let offer;const send=c=>{f.elements.payload.value=JSON.stringify(c.toJSON());f.submit()};if(!P?.parseRequestOptionsFromJSON)return;b.hidden=d.shown!=='true';b.onclick=async()=>{b.disabled=true;e.hidden=true;offer?.abort();try{send(d.ceremony==='create'?await n.create({publicKey:P.parseCreationOptionsFromJSON(o)}):await n.get({publicKey:P.parseRequestOptionsFromJSON(o)}))}catch{e.hidden=false;b.disabled=false}};if(d.offered==='true')P.isConditionalMediationAvailable?.().then(async ok=>{if(ok){offer=new AbortController;send(await n.get({publicKey:P.parseRequestOptionsFromJSON(o),mediation:'conditional',signal:offer.signal}))}}).catch(()=>{})})()`

const PAGE_SCRIPTS = { SHOW_PASSWORD, SEND_ONCE, SUBMIT, PASSKEY } as const

/** The element; it comes after the elements that it works on. */
export const pageScript = (name: keyof typeof PAGE_SCRIPTS): SafeHtml =>
  html`<script>${html.raw`${PAGE_SCRIPTS[name]}`}</script>`

const allowed = Object.values(PAGE_SCRIPTS).map((text) => ({
  element: `<script>${text}</script>`,
  source: `'sha256-${hash('sha256', text, 'base64')}'`,
}))

/** The `script-src` of a document: the hashes of the server's scripts that it contains. */
export const scriptSources = (document: string): string =>
  allowed
    .filter(({ element }) => document.includes(element))
    .map(({ source }) => ` ${source}`)
    .join('')
