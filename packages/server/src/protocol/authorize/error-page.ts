/** The page for a request that has nobody safe to go back to (DECISIONS F2). */
import { html } from '@remix-run/html-template'
import { signInExperience } from '../../domain/sign-in-experience.ts'
import type { Answer, Exchange } from '../../http/exchange.ts'
import { htmlPage } from '../../http/html-page.ts'
import type { Store } from '../../storage/store.ts'

/** @param explanation a sentence for the person in front of the browser */
export const errorPage = async (
  store: Store,
  { tenant, requestId }: Exchange,
  explanation: string,
): Promise<Answer> => {
  const { color, branding } = await signInExperience(store, tenant)
  return htmlPage({
    status: 400,
    title: 'This did not work',
    language: 'en',
    appearance: { ...color, ...branding },
    body: html`<h1 id="title">This did not work</h1>
<p class="lead" id="explanation">${explanation}</p>
<p>Go back to the application and try again. If it happens again, tell the people who run the application.</p>
<p class="hint">Request ${requestId}</p>`,
  })
}
