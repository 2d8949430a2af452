/** The session of the administrator: tokens in memory, renewed without a page, and the ways to sign in again. */
import {
  authorizationServer,
  CONSOLE,
  needsUser,
  type Pending,
  redeem,
  requestOf,
  type StepUp,
  signOutUrl,
  type Tokens,
  unexpected,
} from './authorization.ts'
import { keepOnlyDraftsOf } from './draft.ts'

const PENDING = 'console.sign-in'
/** A token that has no longer to live is renewed before it is used. */
const RENEWAL_MS = 30_000

/** The session at the server has ended: the user has to sign in again. */
export class SessionEnded extends Error {}

type Listener = (reason: SessionEnded | StepUp) => void

let tokens: Tokens | undefined
let renewal: Promise<Tokens> | undefined
const listeners = new Set<Listener>()
/** What happened before anything listened. */
let unheard: SessionEnded | StepUp | undefined

/**
 * Asks the server without a page: it answers from its session, by redirects that `fetch` follows. Throws SessionEnded when the browser
 * has the session of another user by now: what is shown, and typed, would become theirs.
 */
const silently = async (): Promise<Tokens> => {
  const { url, pending } = await requestOf({ prompt: 'none' })
  // at an admin host the issuer is another origin of the same site, which gets its cookies only if that is asked for
  const asked = fetch(url, { cache: 'no-store', credentials: 'include' })
  const [response] = await Promise.all([asked, authorizationServer()])
  if (new URL(response.url).pathname !== `${CONSOLE}/callback`)
    throw unexpected('The sign-in of the console', response.status)
  const renewed = await redeem(new URL(response.url), pending)
  if (tokens && tokens.user.id !== renewed.user.id) throw new SessionEnded()
  return renewed
}

const renew = (): Promise<Tokens> => {
  renewal ??= silently()
    .then((renewed) => {
      tokens = renewed
      return renewed
    })
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

/** Is told when the session has ended, or when the server asks for a fresh proof. Gives the way to stop. */
export const onInterruption = (listener: Listener): (() => void) => {
  listeners.add(listener)
  if (unheard) listener(unheard)
  unheard = undefined
  return () => listeners.delete(listener)
}

/** Tells the listeners. */
export const interrupt = (reason: SessionEnded | StepUp): void => {
  if (listeners.size === 0) unheard = reason
  for (const listener of listeners) listener(reason)
}

/** An access token that is good for some time. Throws SessionEnded, and tells the listeners, where the user has to sign in. */
export const accessToken = async (): Promise<string> => {
  if (tokens && tokens.expiresAt - Date.now() > RENEWAL_MS) return tokens.accessToken
  try {
    return (await renew()).accessToken
  } catch (error) {
    if (!(error instanceof SessionEnded || needsUser(error))) throw error
    const ended = new SessionEnded()
    interrupt(ended)
    throw ended
  }
}

/** The tokens, after the session was opened. */
export const currentTokens = (): Tokens => {
  if (!tokens) throw new SessionEnded()
  return tokens
}

/** Whether the token admits the operations that need these permissions. */
export const holds = (permissions: readonly string[]): boolean => {
  const held = tokens?.permissions
  return held !== undefined && (held.has('all') || permissions.every((each) => held.has(each)))
}

/** The next request asks the server anew, although the token would still be good. */
export const forgetToken = (): void => {
  if (tokens) tokens = { ...tokens, expiresAt: 0 }
}

/** Leaves the page for the sign-in, and comes back to the same address. @param prompt asks which user, where the browser knows one */
export const signIn = async ({ maxAge, acrValues }: StepUp = {}, prompt?: 'select_account'): Promise<void> => {
  const { url, pending } = await requestOf({
    ...(prompt === undefined ? {} : { prompt }),
    ...(maxAge === undefined ? {} : { max_age: maxAge }),
    ...(acrValues === undefined ? {} : { acr_values: acrValues }),
  })
  const back = location.pathname.startsWith(`${CONSOLE}/callback`) ? CONSOLE : `${location.pathname}${location.search}`
  sessionStorage.setItem(PENDING, JSON.stringify({ ...pending, back }))
  location.assign(url)
}

/** Ends the session here and at the server. */
export const signOut = async (): Promise<void> => {
  const url = await signOutUrl(currentTokens().idToken)
  tokens = undefined
  keepOnlyDraftsOf(undefined)
  location.assign(url)
}

/** Ends an interactive sign-in. Gives the address to go on at. */
const finish = async (): Promise<string> => {
  const { back, ...pending } = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}') as Pending & { back?: string }
  sessionStorage.removeItem(PENDING)
  tokens = await redeem(new URL(location.href), pending)
  keepOnlyDraftsOf(tokens.user.id)
  return back ?? CONSOLE
}

/** Opens the session when the page was loaded. False: the user is on the way to the sign-in, and nothing is to be shown. */
export const openSession = async (): Promise<boolean> => {
  if (location.pathname === `${CONSOLE}/callback` && sessionStorage.getItem(PENDING) !== null) {
    const back = await finish()
    // by the function that the router may have put there meanwhile
    history.replaceState(null, '', back)
    return true
  }
  try {
    keepOnlyDraftsOf((await renew()).user.id)
    if (location.pathname === `${CONSOLE}/callback`) history.replaceState(null, '', CONSOLE)
    return true
  } catch (error) {
    if (!needsUser(error)) throw error
    await signIn()
    return false
  }
}
