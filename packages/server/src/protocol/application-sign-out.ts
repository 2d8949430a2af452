/** After the session has ended: through its SAML applications, and then to where the request to sign out said (DECISIONS P14). */
import {
  beginSamlLogout,
  type LogoutEnd,
  type Participants,
  resumeSamlLogout,
  SAML_LOGOUT_COOKIE,
  SAML_LOGOUT_PATH,
  SAML_LOGOUT_SECONDS,
} from '../domain/sessions/saml-logouts.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { perform, type Work } from '../storage/unit-of-work.ts'
import type { Onward } from './signed-out.ts'

/** Without an address it ends at the page of this server. */
const endOf = ({ tenant }: Exchange, { returnTo, client }: Onward): LogoutEnd => {
  const page = `${tenant.issuer}/session/end${client ? `?${new URLSearchParams({ client_id: client.id })}` : ''}`
  return { kind: 'address', address: returnTo ?? page }
}

const throughApplications = ({ tenant }: Exchange, cookies?: readonly string[]): Answer =>
  redirectTo(`${tenant.baseUrl}${SAML_LOGOUT_PATH}`, cookies)

/** Undefined: there is no application that has to be asked through the browser. @param cookies to be set */
export const signOutOfApplications = async (
  work: Work,
  exchange: Exchange,
  participants: Participants,
  onward: Onward,
  cookies: readonly string[],
): Promise<Answer | undefined> => {
  if (participants.reachable.length === 0) return undefined
  const secret = await perform(work, beginSamlLogout, participants, endOf(exchange, onward))
  const cookie = writeCookie(work.tenant, SAML_LOGOUT_COOKIE, secret, SAML_LOGOUT_SECONDS)
  return throughApplications(exchange, [...cookies, cookie])
}

/** For a browser that has left an application that does not answer: on to the others. Undefined: there is nothing to go on with. */
export const resumeSignOut = async (work: Work, exchange: Exchange, onward: Onward): Promise<Answer | undefined> => {
  const secret = readCookie(exchange, SAML_LOGOUT_COOKIE)
  if (secret === undefined) return undefined
  const goesOn = await perform(work, resumeSamlLogout, secret, endOf(exchange, onward))
  return goesOn ? throughApplications(exchange) : undefined
}
