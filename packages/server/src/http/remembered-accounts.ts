/**
 * The accounts that have signed in with this browser, for the account chooser: ids in a sealed cookie, the latest
 * first. The cookie proves nothing else; a user who chooses an account that is not signed in still needs its password.
 */
import type { Store } from '../storage/store.ts'
import { readCookie, writeCookie } from './cookies.ts'
import type { Exchange } from './exchange.ts'

const COOKIE = 'accounts'
const MOST = 8
/** 180 days. */
const SECONDS = 180 * 86_400

const purposeOf = ({ tenant }: Exchange): string => `accounts/${tenant.id}`

/** Ids of users, the latest first; none if the cookie is not the server's. The users may have been deleted since. */
export const rememberedAccounts = ({ vault }: Store, exchange: Exchange): readonly string[] => {
  const sealed = readCookie(exchange, COOKIE)
  if (sealed === undefined) return []
  try {
    return vault.unseal(Buffer.from(sealed, 'base64url'), purposeOf(exchange)).split(' ').filter(Boolean)
  } catch {
    // of another installation, from before the key was changed, or forged
    return []
  }
}

const cookieOf = ({ vault }: Store, exchange: Exchange, ids: readonly string[]): string => {
  const sealed = vault.seal(ids.slice(0, MOST).join(' '), purposeOf(exchange)).toString('base64url')
  return writeCookie(exchange.tenant, COOKIE, ids.length === 0 ? '' : sealed, ids.length === 0 ? 0 : SECONDS)
}

/** Set-Cookie values with this account as the latest; none if it already is. The ninth is dropped. */
export const rememberAccount = (store: Store, exchange: Exchange, userId: string): string[] => {
  const ids = rememberedAccounts(store, exchange)
  return ids[0] === userId ? [] : [cookieOf(store, exchange, [userId, ...ids.filter((id) => id !== userId)])]
}

/** Set-Cookie: the accounts without this one. */
export const forgetAccount = (store: Store, exchange: Exchange, userId: string): string =>
  cookieOf(
    store,
    exchange,
    rememberedAccounts(store, exchange).filter((id) => id !== userId),
  )
