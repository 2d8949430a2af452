/**
 * Change notices: they tell every node of an installation that configuration changed, by LISTEN and NOTIFY. A notice is
 * sent inside the transaction of the change, so it arrives exactly when the change is committed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { connectClient } from './client.ts'
import type { ConfigCache } from './config-cache.ts'
import { type Connection, connectionConfig } from './database.ts'

export const NOTICE_CHANNEL = 'countersign_config'
/** Announces that there is something to send: wakes the workers of `events/`. */
export const DISPATCH_CHANNEL = 'countersign_dispatch'
/**
 * Announces that the named tenant has events that hooks may wait for; without a name, that any tenant may have some.
 */
export const EVENT_CHANNEL = 'countersign_event'
/** Announces that something of the named tenant ended (migration 0072). */
const REVOCATION_CHANNEL = 'countersign_revocation'
/** Announces that there is something of the named tenant to tell its receivers (migration 0079). */
export const SIGNAL_CHANNEL = 'countersign_signal'
const HEARTBEAT_MS = 1000
const CONNECT_MS = 10_000
/** PostgreSQL refuses a notice of 8000 bytes or more. */
const NOTICE_BYTES = 7000
/** A change of more things than this invalidates everything of the tenant instead of naming them. */
const MOST_TAGS = 1000

/** The payloads that announce a change of these things: each `tenant` and then tags, separated by spaces. */
export const noticesOf = (tenantId: string, tags: readonly string[]): string[] => {
  const named = tags.length > MOST_TAGS ? ['*'] : [...new Set(tags)]
  const notices: string[] = []
  let current = tenantId
  for (const tag of named) {
    if (current.length + tag.length + 1 > NOTICE_BYTES) {
      notices.push(current)
      current = tenantId
    }
    current += ` ${tag}`
  }
  return named.length > 0 ? [...notices, current] : []
}

export interface Listener {
  readonly listening: () => boolean
  /**
   * Calls back when something was queued to be sent, and when a notice of that may have been missed. Returns a function
   * that stops it.
   */
  onDispatch(heard: () => void): () => void
  /** The same for events: names the tenant, or nothing when it may be any. */
  onEvent(heard: (tenantId?: string) => void): () => void
  /** The same for what ended: names the tenant, or nothing when it may be any. */
  onRevocation(heard: (tenantId?: string) => void): () => void
  /** The same for what receivers of Shared Signals are told: names the tenant, or nothing when it may be any. */
  onSignal(heard: (tenantId?: string) => void): () => void
  close(): Promise<void>
}

/**
 * Listens on a separate connection and keeps it alive. While it is down the cache keeps nothing, so that no
 * node ever answers from stale data; when it is back, everything is read again.
 */
export const listenForNotices = async (connection: Connection, cache: ConfigCache, log: Log): Promise<Listener> => {
  const closing = new AbortController()
  let client: pg.Client | undefined
  let listening = false
  const dispatchListeners = new Set<() => void>()
  const dispatchHeard = () => {
    for (const heard of dispatchListeners) heard()
  }
  const eventListeners = new Set<(tenantId?: string) => void>()
  const eventHeard = (tenantId?: string) => {
    for (const heard of eventListeners) heard(tenantId)
  }

  const revocationListeners = new Set<(tenantId?: string) => void>()
  const revocationHeard = (tenantId?: string) => {
    for (const heard of revocationListeners) heard(tenantId)
  }

  const signalListeners = new Set<(tenantId?: string) => void>()
  const signalHeard = (tenantId?: string) => {
    for (const heard of signalListeners) heard(tenantId)
  }

  const config: pg.ClientConfig = {
    ...connectionConfig(connection),
    keepAlive: true,
    application_name: 'countersign notices',
    query_timeout: HEARTBEAT_MS * 2,
    // a database that accepts the connection but never answers would block for ever, even at the end of the process
    connectionTimeoutMillis: CONNECT_MS,
  }
  const heard = ({ channel, payload }: pg.Notification) => {
    if (channel === DISPATCH_CHANNEL) return dispatchHeard()
    if (channel === EVENT_CHANNEL) return eventHeard(payload || undefined)
    if (channel === REVOCATION_CHANNEL) return revocationHeard(payload || undefined)
    if (channel === SIGNAL_CHANNEL) return signalHeard(payload || undefined)
    const [tenantId, ...tags] = (payload ?? '').split(' ')
    if (tenantId) cache.drop(tenantId, tags)
  }

  const connect = async () => {
    const fresh = await connectClient(config, (arranged) => {
      arranged.on('error', () => lost(arranged))
      arranged.on('end', () => lost(arranged))
      arranged.on('notification', heard)
    })
    try {
      await fresh.query(
        [NOTICE_CHANNEL, DISPATCH_CHANNEL, EVENT_CHANNEL, REVOCATION_CHANNEL, SIGNAL_CHANNEL]
          .map((channel) => `LISTEN ${channel}`)
          .join('; '),
      )
    } catch (error) {
      await fresh.end().catch(() => undefined)
      throw error
    }
    client = fresh
    listening = true
    cache.setListening(true)
    dispatchHeard()
    eventHeard()
    revocationHeard()
    signalHeard()
  }

  const lost = (which: pg.Client) => {
    if (which !== client || !listening) return
    listening = false
    cache.setListening(false)
    if (!closing.signal.aborted)
      log.warn('the connection for change notices was lost; configuration is read from the database until it is back')
  }

  const watch = async () => {
    while (!closing.signal.aborted) {
      await delay(HEARTBEAT_MS, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        if (listening) await client?.query('SELECT 1')
        else {
          await connect()
          log.info('change notices are received again')
        }
      } catch {
        const broken = client
        if (broken) {
          lost(broken)
          await broken.end().catch(() => undefined)
        }
      }
    }
  }

  await connect()
  const watching = watch()
  return {
    listening: () => listening,
    onDispatch(heard) {
      dispatchListeners.add(heard)
      return () => void dispatchListeners.delete(heard)
    },
    onEvent(heard) {
      eventListeners.add(heard)
      return () => void eventListeners.delete(heard)
    },
    onRevocation(heard) {
      revocationListeners.add(heard)
      return () => void revocationListeners.delete(heard)
    },
    onSignal(heard) {
      signalListeners.add(heard)
      return () => void signalListeners.delete(heard)
    },
    async close() {
      closing.abort()
      await watching
      await client?.end().catch(() => undefined)
    },
  }
}
