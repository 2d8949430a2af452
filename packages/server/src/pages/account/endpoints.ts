/** The addresses of the account pages, one flat list. */
import type { Answer, Exchange } from '../../http/exchange.ts'
import { redirectTo } from '../../http/exchange.ts'
import type { Store } from '../../storage/store.ts'
import { type AccountContext, accountPage } from './account-page.ts'
import { showActivity } from './activity.ts'
import { changeHandlers } from './change-page.ts'
import { showConfirm, submitConfirm } from './confirm.ts'
import { credentialChanges } from './credential-changes.ts'
import { dataChanges, showData } from './data.ts'
import { linkChanges } from './elsewhere.ts'
import { factorChanges } from './factor-changes.ts'
import { showInvitation, showOrganizations, submitInvitation } from './organizations.ts'
import { admitsPicture, refusePicture, showPicture, submitPicture } from './picture.ts'
import { showProfile, submitProfile } from './profile.ts'
import { removals } from './removals.ts'
import { showSecurity } from './security.ts'
import { showApplications, showSessions } from './sessions.ts'
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

const CHANGES = { ...credentialChanges, ...factorChanges, ...removals, ...tokenChanges, ...dataChanges, ...linkChanges }

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

/** POST of the page of the picture, whose body is larger than that of any other form. */
export const accountPicture = {
  submit: accountPage(PICTURE, submitPicture),
  admits: admitsPicture,
  refuse: accountPage(PICTURE, refusePicture),
} as const
