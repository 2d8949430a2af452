/**
 * The scripts of pages: for convenience only; every page works without them, but for passkeys and captchas. A page contains the script that it needs
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
const PASSKEY = `(()=>{const f=document.querySelector('form[data-passkey]'),d=f.dataset,b=f.querySelector('button'),e=document.getElementById('passkey-problem'),P=window.PublicKeyCredential,n=navigator.credentials,o=JSON.parse(d.passkey);let offer;const send=c=>{f.elements.payload.value=JSON.stringify(c.toJSON());f.submit()};if(!P?.parseRequestOptionsFromJSON)return;b.hidden=d.shown!=='true';b.onclick=async()=>{b.disabled=true;e.hidden=true;offer?.abort();try{send(d.ceremony==='create'?await n.create({publicKey:P.parseCreationOptionsFromJSON(o)}):await n.get({publicKey:P.parseRequestOptionsFromJSON(o)}))}catch{e.hidden=false;b.disabled=false}};f.onsubmit=v=>{v.preventDefault();b.click()};if(d.offered==='true')P.isConditionalMediationAvailable?.().then(async ok=>{if(ok){offer=new AbortController;send(await n.get({publicKey:P.parseRequestOptionsFromJSON(o),mediation:'conditional',signal:offer.signal}))}}).catch(()=>{})})()`

/** Counts down until another code can be requested; its button is there when the time has come. */
const COOL_DOWN = `(()=>{const p=document.getElementById('wait'),b=document.getElementById('send-again'),end=performance.now()+1e3*p.dataset.seconds,f=new Intl.NumberFormat(document.documentElement.lang,{style:'unit',unit:'second',unitDisplay:'long'});const tick=()=>{const s=Math.ceil((end-performance.now())/1e3);b.hidden=s>0;p.hidden=s<=0;p.textContent=p.dataset.text.replace('{duration}',f.format(s));if(s>0)setTimeout(tick,1e3)};tick()})()`

/**
 * Finds the number of a proof of work while the form is filled in. Who is faster waits: the form is sent as soon as the number is
 * found.
 */
const PROOF_OF_WORK = `(()=>{const b=document.querySelector('[data-challenge]'),f=b.closest('form'),s=b.querySelector('[role=status]'),c=JSON.parse(b.dataset.challenge),x=new TextEncoder,[h,l]=[0,8].map(i=>parseInt(c.challenge.slice(i,i+8),16)),N=500;let done,sender;const say=t=>{b.dataset.state=t;s.textContent=b.dataset[t]};const right=d=>{const v=new DataView(d);return v.getUint32(0)===h&&v.getUint32(4)===l};const find=async()=>{for(let n=0;n<=c.maxnumber;n+=N){const all=await Promise.all(Array.from({length:N},(_,i)=>crypto.subtle.digest('SHA-256',x.encode(c.salt+(n+i))))),i=all.findIndex(right);if(i>=0)return n+i}};f.addEventListener('submit',e=>{if(!done){e.preventDefault();sender=e.submitter??f.querySelector('[type=submit]')}});if(!globalThis.crypto?.subtle)return void(done=true);say('checking');find().then(number=>{const{algorithm,challenge,salt,signature}=c;f.elements.captcha.value=btoa(JSON.stringify({algorithm,challenge,number,salt,signature}));done=true;say('checked');if(sender)f.requestSubmit(sender)})})()`
/** Gets a token of reCAPTCHA when the form is sent, and then sends it. Without the script of the provider it is sent without. */
const RECAPTCHA = `(()=>{const b=document.querySelector('[data-recaptcha]'),f=b.closest('form'),k=b.dataset.recaptcha;let done;f.addEventListener('submit',e=>{const g=globalThis.grecaptcha?.enterprise;if(done||!g)return;e.preventDefault();const sender=e.submitter,send=t=>{f.elements.captcha.value=t;done=true;f.requestSubmit(sender)};g.ready(()=>g.execute(k,{action:'interaction'}).then(send,()=>send('')))})})()`

/** A button next to each value that is shown to be copied. */
const COPY = `for(const c of navigator.clipboard?document.querySelectorAll('code[data-copy]'):[]){const d=c.dataset,b=document.createElement('button'),say=t=>{b.textContent=t;b.setAttribute('aria-label',t+': '+d.about)};b.type='button';b.className='copy';say(d.copy);b.onclick=()=>navigator.clipboard.writeText(c.textContent).then(()=>say(d.copied));c.after(b)}`

const PAGE_SCRIPTS = { SHOW_PASSWORD, SEND_ONCE, SUBMIT, PASSKEY, PROOF_OF_WORK, RECAPTCHA, COOL_DOWN, COPY } as const

/** The element; it comes after the elements that it works on. */
export const pageScript = (name: keyof typeof PAGE_SCRIPTS): SafeHtml =>
  html`<script>${html.raw`${PAGE_SCRIPTS[name]}`}</script>`

/** Text of an element → its source. */
const allowed: ReadonlyMap<string, string> = new Map(
  Object.values(PAGE_SCRIPTS).map((text) => [
    `<script>${text}</script>`,
    ` 'sha256-${hash('sha256', text, 'base64')}'`,
  ]),
)

/** The `script-src` of a document: the hashes of the server's scripts that its body contains. */
export const scriptSources = (body: string): string => {
  const elements = body.match(/<script>.*?<\/script>/gs) ?? []
  return [...new Set(elements)].map((element) => allowed.get(element) ?? '').join('')
}
