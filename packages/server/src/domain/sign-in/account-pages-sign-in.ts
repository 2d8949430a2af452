/** The sign-in for the account pages of this server: an interaction without an application, which ends at a page instead of with a code. */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { type Client, findClient } from '../applications/clients.ts'
import { type AuthorizationRequest, finishInteraction } from './interactions.ts'
import { sealToken } from './one-time-token-proof.ts'

/** What stands for the id of an application in these interactions; ids of applications are 21 letters and digits. */
const ACCOUNT_PAGES_ID = 'account-pages'

/** What the steps of a sign-in want to know of an application. It is none: no code, token or grant can be had for it. */
const accountPagesClient = ({ baseUrl }: Tenant): Client => ({
  id: ACCOUNT_PAGES_ID,
  name: new URL(baseUrl).host,
  description: null,
  type: 'Traditional',
  isConfidential: false,
  isThirdParty: false,
  hasAccessControl: false,
  metadata: {},
  authMethod: 'none',
  secrets: [],
  keys: [],
  redirectUris: [],
  postLogoutRedirectUris: [],
  look: undefined,
})

/** What a user signs in to: an application, or these pages. Undefined: the application was deleted. */
export const clientOfRequest = async (
  store: Store,
  tenant: Tenant,
  { clientId, accountPage }: Pick<AuthorizationRequest, 'clientId' | 'accountPage'>,
): Promise<Client | undefined> =>
  accountPage === undefined ? findClient(store, tenant, clientId) : accountPagesClient(tenant)

/** The application of a request, as users and sessions record it; null for these pages. */
export const applicationIdOf = ({ clientId, accountPage }: AuthorizationRequest): string | null =>
  accountPage === undefined ? clientId : null

/** What a link to an account page brings: a one-time token, and the address that it was sent to. */
export interface AccountLink {
  readonly token: string
  readonly loginHint: string
}

/**
 * The request of an account page for a sign-in.
 * @param accountPage its path, which is not checked here @param link what the user came by, for one that was sent to them (DECISIONS O5)
 */
export const accountPageRequest = (
  store: Store,
  tenant: Tenant,
  accountPage: string,
  link: AccountLink | undefined,
): AuthorizationRequest => ({
  clientId: ACCOUNT_PAGES_ID,
  redirectUri: '',
  responseMode: 'query',
  scopes: [],
  resources: [],
  prompts: [],
  accountPage,
  ...(link && {
    sealedToken: sealToken(store, tenant, ACCOUNT_PAGES_ID, link.token),
    ...(link.loginHint === '' ? {} : { loginHint: link.loginHint }),
  }),
})

/** Ends the interaction; another request may have ended it before, which changes nothing. */
export const accountSignInFinished = operation([], async (unit, interactionId: string): Promise<void> => {
  await finishInteraction(unit, interactionId)
})
