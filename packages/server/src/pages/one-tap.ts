/**
 * Google One Tap on the sign-in page, where the connector has it: a script of Google shows the accounts of the browser, and sends what the
 * user chose to `/callback/:connectorId`. Without JavaScript nothing of it is seen; the button leads to Google as ever.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { nonceOf, offeredOneTap } from '../domain/sign-in/one-tap.ts'
import type { ThirdParty } from '../http/html-page.ts'
import type { PageContext } from './interaction-page.ts'
import { asksForTerms } from './terms.ts'

const GOOGLE = 'https://accounts.google.com/gsi'

/** As Google documents them for pages with a policy. */
const SOURCES: ThirdParty = {
  scripts: [`${GOOGLE}/client`],
  frames: [`${GOOGLE}/`],
  connections: [`${GOOGLE}/`],
  styles: [`${GOOGLE}/style`],
}

/** After the form of the page. Nothing where it is not offered, or where terms have to be agreed to first. */
export const oneTap = async (context: PageContext): Promise<{ element: SafeHtml; thirdParty?: ThirdParty }> => {
  const { exchange, experience, interaction, store } = context
  const { tenant } = exchange
  const offered = asksForTerms(context, 'SignIn') ? undefined : await offeredOneTap({ store, tenant }, experience)
  if (!offered) return { element: html`` }
  const { clientId, connectorId, autoSelect = false, closeOnTapOutside = true, itpSupport = false } = offered
  return {
    element: html`<div id="g_id_onload" data-client_id="${clientId}" data-login_uri="${tenant.baseUrl}/callback/${connectorId}" data-nonce="${nonceOf(store.vault, interaction.id)}" data-context="signin" data-use_fedcm_for_prompt="true" data-auto_select="${String(autoSelect)}" data-cancel_on_tap_outside="${String(closeOnTapOutside)}" data-itp_support="${String(itpSupport)}"></div>
<script src="${GOOGLE}/client" async></script>`,
    thirdParty: SOURCES,
  }
}
