/** The addresses of the account pages, one flat list. */
import type { Answer, Exchange } from '../../http/exchange.ts'
import { ANONYMOUS_BODY_LIMIT, redirectTo } from '../../http/exchange.ts'
import { UPLOAD_BODY_LIMIT } from '../../http/multipart.ts'
import type { Store } from '../../storage/store.ts'
import { type AccountContext, accountPage, admitsUpload } from './account-page.ts'
import { showActivity } from './activity.ts'
import { changeHandlers } from './change-page.ts'
import { showConfirm, submitConfirm } from './confirm.ts'
import { credentialChanges } from './credential-changes.ts'
import { dataChanges, showData } from './data.ts'
import { linkChanges } from './elsewhere.ts'
import { factorChanges } from './factor-changes.ts'
import { showIdentityProvider, submitIdentityProvider } from './identity-provider.ts'
import { providerChanges, providerSettings } from './identity-provider-changes.ts'
import { certificateChanges } from './identity-provider-keys.ts'
import { domainChanges, showDomain, submitDomain } from './organization-domains.ts'
import { showSingleSignOn } from './organization-sso.ts'
import { showInvitation, showOrganizations, submitInvitation } from './organizations.ts'
import { refusePicture, showPicture, submitPicture } from './picture.ts'
import { showProfile, submitProfile } from './profile.ts'
import { removals } from './removals.ts'
import { showSecurity } from './security.ts'
import { showApplications, showSessions } from './sessions.ts'
import { LARGEST_METADATA } from './sso-errors.ts'
import { showTokens, tokenChanges } from './tokens.ts'

type Render = (context: AccountContext) => Promise<Answer>
type Page = readonly [
  method: 'GET' | 'POST',
  path: string,
  handle: (store: Store, exchange: Exchange) => Promise<Answer>,
]

const page = (method: 'GET' | 'POST', path: string, render: Render): Page => [
  method,
  `account/${path}`,
  accountPage(`/account/${path}`, render),
]

const CHANGES = {
  ...{ ...credentialChanges, ...factorChanges, ...removals, ...tokenChanges, ...dataChanges, ...linkChanges },
  ...{ ...domainChanges, ...providerChanges, ...certificateChanges },
}

const SETTINGS = 'change/identity-provider'
const settings = changeHandlers('identity-provider', providerSettings)

/** `/account` itself: the first of the pages, with what the link said. */
const toFirst = async (_store: Store, { tenant, queryText }: Exchange): Promise<Answer> =>
  redirectTo(`${tenant.baseUrl}/account/profile${queryText === '' ? '' : `?${queryText}`}`)

export const accountPages: readonly Page[] = [
  ['GET', 'account', toFirst],
  page('GET', 'profile', showProfile),
  page('POST', 'profile', submitProfile),
  page('GET', 'picture', showPicture),
  page('GET', 'security', showSecurity),
  page('GET', 'sessions', showSessions),
  page('GET', 'activity', showActivity),
  page('GET', 'applications', showApplications),
  page('GET', 'organizations', showOrganizations),
  page('GET', 'invitation', showInvitation),
  page('POST', 'invitation', submitInvitation),
  page('GET', 'single-sign-on', showSingleSignOn),
  page('GET', 'organization-domain', showDomain),
  page('POST', 'organization-domain', submitDomain),
  page('GET', 'identity-provider', showIdentityProvider),
  page('POST', 'identity-provider', submitIdentityProvider),
  page('GET', SETTINGS, settings.show),
  page('GET', 'tokens', showTokens),
  page('GET', 'data', showData),
  page('GET', 'confirm', showConfirm),
  page('POST', 'confirm', submitConfirm),
  ...Object.entries(CHANGES).flatMap(([name, change]) => {
    const { show, submit } = changeHandlers(name, change)
    return [page('GET', `change/${name}`, show), page('POST', `change/${name}`, submit)]
  }),
]

const PICTURE = '/account/picture'

interface Uploads {
  readonly path: string
  /** Bytes of a body. */
  readonly bodyLimit: number
  readonly submit: (store: Store, exchange: Exchange) => Promise<Answer>
  /** Whether a browser may send a file: before its body is read. */
  readonly admits: (store: Store, exchange: Exchange) => Promise<boolean>
  /** What the page says of a body that was too large to be read. */
  readonly refuse: (store: Store, exchange: Exchange) => Promise<Answer>
}

/** Forms with files, whose bodies are larger than that of any other. */
export const accountUploads: readonly Uploads[] = [
  {
    path: 'account/picture',
    bodyLimit: UPLOAD_BODY_LIMIT,
    submit: accountPage(PICTURE, submitPicture),
    admits: (store, exchange) => admitsUpload(store, exchange, 'avatar'),
    refuse: accountPage(PICTURE, refusePicture),
  },
  {
    path: `account/${SETTINGS}`,
    // with the fields beside the file, and a boundary around each
    bodyLimit: LARGEST_METADATA + 4 * ANONYMOUS_BODY_LIMIT,
    submit: accountPage(`/account/${SETTINGS}`, settings.submit),
    admits: (store, exchange) => admitsUpload(store, exchange, 'organizationSso'),
    refuse: accountPage(`/account/${SETTINGS}`, settings.refuse),
  },
]
