/** Changes of a thing that another administrator has changed meanwhile: merged where they do not touch, asked about where they do. */
import { ManagementApiError } from '@countersign/contract'
import { currentTokens } from '../session/session.ts'
import { type Collision, differing, merge } from './merge.ts'
import { send } from './sending.ts'
import { keepVersion, replaceVersion, type Version, versionOf } from './versions.ts'

/** Who was quicker, and when, where the server knows. */
export interface Other {
  /** The administrator who is signed in here, in another window. */
  readonly isSelf: boolean
  readonly name: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number | undefined
}

export type Choice = 'theirs' | 'mine' | 'neither'

/** What the administrator has to know: both changes were saved, or has to decide. */
export type Encounter =
  | { readonly kind: 'merged'; readonly other: Other; readonly members: readonly string[] }
  | {
      readonly kind: 'collision'
      readonly other: Other
      readonly collisions: readonly Collision[]
      readonly choose: (choice: Choice) => void
    }

/** A change was not sent because another one was quicker, and the administrator did not insist. */
export class Overtaken extends Error {
  readonly choice: Choice
  constructor(choice: Choice) {
    super('another change was quicker')
    this.choice = choice
  }
}

type Listener = (encounter: Encounter) => void
let listener: Listener | undefined
/** What happened before anything listened. */
const unheard: Encounter[] = []

const meet = (encounter: Encounter): void => {
  if (listener) listener(encounter)
  else unheard.push(encounter)
}

/** Is told of every encounter. Gives the way to stop. */
export const onEncounter = (next: Listener): (() => void) => {
  listener = next
  for (const each of unheard.splice(0)) next(each)
  return () => {
    if (listener === next) listener = undefined
  }
}

const discards = new Set<() => void>()

/** While a form is being sent: gives up what is typed in it, where the administrator takes the other change. Gives the way to stop. */
export const onTheirsTaken = (discard: () => void): (() => void) => {
  discards.add(discard)
  return () => discards.delete(discard)
}

const ask = (other: Other, collisions: readonly Collision[]): Promise<Choice> =>
  new Promise((choose) => meet({ kind: 'collision', other, collisions, choose }))

const addressOf = (address: Parameters<typeof fetch>[0]): string => new URL(String(address)).pathname

/** The version that an answer is of; undefined for one that has none. */
const versionIn = async (response: Response): Promise<Version | undefined> => {
  const etag = response.headers.get('etag')
  if (!response.ok || etag === null) return undefined
  return { etag, answer: (await response.clone().json()) as unknown }
}

const otherIn = async (response: Response): Promise<Other> => {
  const { data } = new ManagementApiError('', response.status, await response.clone().text())
  const { id, name } = (data?.changedBy ?? {}) as { readonly id?: unknown; readonly name?: unknown }
  return {
    isSelf: id === currentTokens().user.id,
    name: typeof name === 'string' ? name : undefined,
    at: typeof data?.changedAt === 'number' ? data.changedAt : undefined,
  }
}

const changeFrom = async (
  base: Version,
  address: Parameters<typeof fetch>[0],
  request: RequestInit,
  body: string,
): Promise<Response> => {
  const path = addressOf(address)
  const headers = new Headers(request.headers)
  headers.set('if-match', base.etag)
  const response = await send(address, { ...request, headers, body })
  if (response.ok) replaceVersion(path, base, await versionIn(response))
  if (response.status !== 412) return response
  const { authorization } = Object.fromEntries(new Headers(request.headers))
  const reread = await send(path, { headers: { authorization: authorization ?? '' } })
  const now = await versionIn(reread)
  if (!now) return reread
  const { value, collisions } = merge(base.answer, now.answer, JSON.parse(body))
  const other = await otherIn(response)
  if (collisions.length > 0) {
    const choice = await ask(other, collisions)
    if (choice === 'theirs') for (const discard of discards) discard()
    if (choice !== 'mine') throw new Overtaken(choice)
  }
  replaceVersion(path, base, now)
  const sent = await changeFrom(now, address, request, JSON.stringify(value))
  if (sent.ok && collisions.length === 0 && !other.isSelf)
    meet({ kind: 'merged', other, members: differing(base.answer, now.answer) })
  return sent
}

/**
 * Sends a request; a change of a thing whose version is known only if it is still that one. Throws Overtaken where another change was
 * quicker and the administrator did not insist on theirs.
 */
export const sendVersioned: typeof fetch = async (address, request = {}) => {
  const { method = 'GET', body } = request
  const base = versionOf(addressOf(address))
  if ((method === 'PATCH' || method === 'PUT') && typeof body === 'string' && base)
    return changeFrom(base, address, request, body)
  const response = await send(address, request)
  if (method !== 'GET') return response
  const version = await versionIn(response)
  if (version) keepVersion(addressOf(address), version)
  return response
}
