/** The addresses of the pages, one flat list. */
import {
  ANONYMOUS_BODY_LIMIT,
  type Answer,
  type Endpoint,
  type Exchange,
  redirectTo,
  TransportError,
} from '../http/exchange.ts'
import { UPLOAD_BODY_LIMIT } from '../http/multipart.ts'
import { MalformedParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Log } from '../kernel/log.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { failurePage, plainFailurePage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { accountPages, accountUploads } from './account/endpoints.ts'
import {
  showBackchannel,
  showBackchannelDenied,
  showBackchannelDone,
  showBackchannelGone,
  submitBackchannel,
} from './backchannel.ts'
import { showBackchannelConfirmation, submitBackchannelConfirmation } from './backchannel-confirmation.ts'
import { showCallback, submitCallback } from './callback.ts'
import { showCompleteProfile, submitCompleteProfile } from './complete-profile.ts'
import { showConsent, submitConsent } from './consent.ts'
import { showDeviceCode, submitDeviceCode } from './device-code.ts'
import {
  showDeviceConfirmation,
  showDeviceDenied,
  showDeviceDone,
  submitDeviceConfirmation,
} from './device-confirmation.ts'
import { showDirect } from './direct.ts'
import type { Dispatcher } from './dispatcher.ts'
import { admitsExtraProfile, refuseExtraProfile, showExtraProfile, submitExtraProfile } from './extra-profile.ts'
import { showFirstAdministrator, submitFirstAdministrator } from './first-administrator.ts'
import { showForgotPassword, submitForgotPassword } from './forgot-password.ts'
import { expiredPage, interactionPage, type PageContext, toPage } from './interaction-page.ts'
import { showKeepAccount, submitKeepAccount } from './keep-account.ts'
import { showNotMe, submitNotMe } from './not-me.ts'
import { showOneTimeToken, submitOneTimeToken } from './one-time-token.ts'
import { showRegister, submitRegister } from './register.ts'
import { showResetPassword, submitResetPassword } from './reset-password.ts'
import { LONGEST_RESPONSE_FORM, showSamlMetadata, showSamlRequest, submitSamlResponse } from './saml.ts'
import { showSecondFactor, submitSecondFactor } from './second-factor.ts'
import { showSelectAccount, submitSelectAccount } from './select-account.ts'
import { showSetUpAddress, submitSetUpAddress } from './set-up-address.ts'
import { showSetUpFactor, submitSetUpFactor } from './set-up-factor.ts'
import { showSignIn, submitSignIn } from './sign-in.ts'
import { showSignInCode, submitSignInCode } from './sign-in-code.ts'
import { showSocial, submitSocial } from './social.ts'
import { submitSso } from './sso.ts'
import { showVerifyEmail, submitVerifyEmail } from './verify-email.ts'

const TRANSPORT_STATUS = {
  'body-too-large': 413,
  'too-slow': 408,
  aborted: 400,
  'media-type': 415,
  malformed: 400,
  unavailable: 503,
  'host-unknown': 421,
} as const

/** Failures before the page's handler runs, or when not even the tenant is known. */
const renderFailure =
  (log: Log) =>
  (error: unknown, { requestId }: { readonly requestId: string }): Answer => {
    if (error instanceof TransportError) return plainFailurePage(requestId, TRANSPORT_STATUS[error.kind])
    log.error({ requestId, err: error }, 'a page failed')
    return plainFailurePage(requestId, 500)
  }

/**
 * The page with its possible failures: a request that none of the pages sends, an interaction that has just ended, a
 * fault.
 */
const guarded =
  (store: Store, handle: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    try {
      return await handle(exchange)
    } catch (error) {
      const hasEnded = error instanceof ApiError && error.status === 404
      if (hasEnded || error instanceof MalformedParameters) return expiredPage(store, exchange)
      store.log.error({ requestId: exchange.requestId, err: error }, 'a page failed')
      return failurePage(store, exchange)
    }
  }

/** The address that the server prints: users who open it want to know what the server offers. */
const toApiDocs = ({ baseUrl }: Tenant): Answer => redirectTo(`${baseUrl}/api/docs`)

/** @param dispatcher decides what follows a sign-in */
export const pageEndpoints = (store: Store, dispatcher: Dispatcher): Endpoint[] => {
  const plain = (
    method: 'GET' | 'POST',
    path: string,
    render: (store: Store, exchange: Exchange) => Promise<Answer>,
  ): Endpoint => ({
    method,
    path: `/${path}`,
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    handle: guarded(store, (exchange) => render(store, exchange)),
    renderError: renderFailure(store.log),
  })
  const page = (method: 'GET' | 'POST', path: string, render: (context: PageContext) => Promise<Answer>): Endpoint =>
    plain(method, `${path}/:id`, (_store, exchange) => interactionPage(store, dispatcher, render)(exchange))
  /** @param refuse answers a body that is larger than any upload */
  const uploads = (
    admits: (exchange: Exchange) => Promise<boolean>,
    refuse: (exchange: Exchange) => Promise<Answer>,
    bodyLimit = UPLOAD_BODY_LIMIT,
  ): NonNullable<Endpoint['larger']> => ({
    bodyLimit,
    isUpload: true,
    admits,
    refuse: guarded(store, refuse),
  })
  return [
    plain('GET', '', async (_store, { tenant }) => toApiDocs(tenant)),
    plain('GET', 'first-administrator', showFirstAdministrator),
    plain('POST', 'first-administrator', submitFirstAdministrator),
    page('GET', 'direct', showDirect),
    page('GET', 'sign-in', showSignIn),
    page('POST', 'sign-in', submitSignIn),
    page('GET', 'one-time-token', showOneTimeToken),
    page('POST', 'one-time-token', submitOneTimeToken),
    page('GET', 'sign-in-code', showSignInCode),
    page('POST', 'sign-in-code', submitSignInCode),
    page('GET', 'complete-profile', showCompleteProfile),
    page('POST', 'complete-profile', submitCompleteProfile),
    page('GET', 'second-factor', showSecondFactor),
    page('POST', 'second-factor', submitSecondFactor),
    page('GET', 'set-up-factor', showSetUpFactor),
    page('POST', 'set-up-factor', submitSetUpFactor),
    page('GET', 'set-up-address', showSetUpAddress),
    page('POST', 'set-up-address', submitSetUpAddress),
    page('GET', 'register', showRegister),
    page('POST', 'register', submitRegister),
    page('GET', 'extra-profile', showExtraProfile),
    {
      ...page('POST', 'extra-profile', submitExtraProfile),
      larger: uploads(
        (exchange) => admitsExtraProfile(store, exchange),
        interactionPage(store, dispatcher, refuseExtraProfile),
      ),
    },
    page('GET', 'verify-email', showVerifyEmail),
    page('POST', 'verify-email', submitVerifyEmail),
    page('GET', 'forgot-password', showForgotPassword),
    page('POST', 'forgot-password', submitForgotPassword),
    page('GET', 'reset-password', showResetPassword),
    page('POST', 'reset-password', submitResetPassword),
    page('GET', 'select-account', showSelectAccount),
    page('POST', 'select-account', submitSelectAccount),
    page('GET', 'consent', showConsent),
    page('POST', 'consent', submitConsent),
    page('GET', 'social', showSocial),
    page('POST', 'social', submitSocial),
    page('GET', 'sso', async (context) => toPage(context, 'sign-in')),
    page('POST', 'sso', submitSso),
    plain('GET', 'callback/:connectorId', showCallback(dispatcher)),
    plain('POST', 'callback/:connectorId', submitCallback(dispatcher)),
    ...accountPages.map(([method, path, handle]) => plain(method, path, handle)),
    ...accountUploads.map(({ path, bodyLimit, submit, admits, refuse }) => ({
      ...plain('POST', path, submit),
      larger: uploads(
        (exchange) => admits(store, exchange),
        (exchange) => refuse(store, exchange),
        bodyLimit,
      ),
    })),
    plain('GET', 'account/keep', showKeepAccount),
    plain('POST', 'account/keep', submitKeepAccount),
    plain('GET', 'enterprise-sso/:connectorId', showSamlMetadata),
    plain('GET', 'enterprise-sso/:connectorId/request', showSamlRequest),
    {
      ...plain('POST', 'api/authn/single-sign-on/saml/:connectorId', submitSamlResponse),
      bodyLimit: LONGEST_RESPONSE_FORM,
    },
    plain('GET', 'not-me', showNotMe),
    plain('POST', 'not-me', submitNotMe),
    plain('GET', 'device', showDeviceCode),
    plain('POST', 'device', submitDeviceCode),
    plain('GET', 'device/done', showDeviceDone),
    plain('GET', 'device/denied', showDeviceDenied),
    page('GET', 'device', showDeviceConfirmation),
    page('POST', 'device', submitDeviceConfirmation),
    plain('GET', 'backchannel', showBackchannel),
    plain('POST', 'backchannel', submitBackchannel),
    plain('GET', 'backchannel/done', showBackchannelDone),
    plain('GET', 'backchannel/denied', showBackchannelDenied),
    plain('GET', 'backchannel/gone', showBackchannelGone),
    page('GET', 'backchannel', showBackchannelConfirmation),
    page('POST', 'backchannel', submitBackchannelConfirmation),
  ]
}
