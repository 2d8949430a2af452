/**
 * The check box by which a user agrees to the terms of use and the privacy policy, where the settings require it
 * (`agreeToTermsPolicy`). Without an address of either there is nothing to agree to.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { overTenant } from '../domain/sign-in/application-look.ts'
import type { Parameters } from '../http/parameters.ts'
import type { PageContext } from './interaction-page.ts'

type Event = 'SignIn' | 'Register'

const linksOf = ({ experience, client, language: { phrases } }: PageContext): readonly SafeHtml[] => {
  const { termsOfUseUrl, privacyPolicyUrl } = overTenant(experience, client)
  const all = [
    { url: termsOfUseUrl, text: phrases.terms },
    { url: privacyPolicyUrl, text: phrases.privacy },
  ]
  return all.flatMap(({ url, text }) =>
    url ? [html`<a href="${url}" target="_blank" rel="noreferrer">${text}</a>`] : [],
  )
}

/** Whether the page has the check box. */
export const asksForTerms = (context: PageContext, event: Event): boolean => {
  const { agreeToTermsPolicy: policy } = context.experience
  const isAsked = event === 'Register' ? policy !== 'Automatic' : policy === 'Manual'
  return isAsked && linksOf(context).length > 0
}

/** Whether a form agrees, where it has to. */
export const hasAgreed = (context: PageContext, event: Event, fields: Parameters): boolean =>
  !asksForTerms(context, event) || fields.has('terms')

/** The check box, if the page has one; checked if it was before. */
export const termsField = (context: PageContext, event: Event, fields?: Parameters): SafeHtml => {
  if (!asksForTerms(context, event)) return html``
  const links = linksOf(context).map((link, index) => (index === 0 ? link : html` · ${link}`))
  return html`<label class="agree"><input type="checkbox" id="agree" name="terms" value="agreed" required ${fields?.has('terms') ? html`checked` : html``}><span>${context.language.phrases.agreeTo} ${links}</span></label>`
}
