/** What needs attention: facts of the server in plain words, each with what to do about it. */
import type { Answer, Row } from '../../api/client.ts'
import { ago, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { stateOf, titleOf } from '../webhooks/hook.ts'

export type Health = Answer<'getHealth'>

export interface Finding {
  readonly id: string
  readonly tone: 'warn' | 'bad'
  readonly title: string
  readonly advice: string
  /** Where it is mended. */
  readonly screen?: '/connectors' | '/webhooks' | '/settings'
  readonly hookId?: string
}

const MINUTE_MS = 60_000
/** What waits is usually taken within a second: where something is older, the work has stopped. */
const STALLED_MS = 5 * MINUTE_MS
/** Expired data is deleted every ten minutes. */
const CLEANED_WITHIN_MS = 60 * MINUTE_MS
const OLDEST_POSTGRES = 15
const OWNER = 'owner'

const when = (is: boolean, finding: () => Finding): readonly Finding[] => (is ? [finding()] : [])

const ofQueues = ({ messages, deliveries, events }: Health, now: number): readonly Finding[] => {
  const stalled = (
    { waiting, oldestAt }: Health['messages'],
    finding: (places: { readonly count: string; readonly when: string }) => Finding,
  ) =>
    when(oldestAt !== null && now - oldestAt > STALLED_MS, () =>
      finding({ count: number(waiting), when: ago(oldestAt ?? now, now) }),
    )
  return [
    ...stalled(events, (places) => ({
      id: 'events',
      tone: 'bad',
      title: t('health.eventsStalled', places),
      advice: t('health.worker'),
    })),
    ...stalled(messages, (places) => ({
      id: 'messages',
      tone: 'bad',
      title: t('health.messagesStalled', places),
      advice: t('health.messagesAdvice'),
      screen: '/connectors',
    })),
    ...stalled(deliveries, (places) => ({
      id: 'deliveries',
      tone: 'warn',
      title: t('health.deliveriesStalled', places),
      advice: t('health.deliveriesAdvice'),
      screen: '/webhooks',
    })),
  ]
}

const ofKeys = ({ signingKeys, unsignedAlgorithms }: Health): readonly Finding[] => [
  ...when(!signingKeys.some(({ chain, status }) => chain === 'main' && status === 'Current'), () => ({
    id: 'keys',
    tone: 'bad',
    title: t('health.noKey'),
    advice: t('health.rotateAdvice'),
  })),
  ...unsignedAlgorithms.map((algorithm) => ({
    id: `unsigned ${algorithm}`,
    tone: 'bad' as const,
    title: t('health.unsigned', { algorithm }),
    advice: t('health.rotateAdvice'),
  })),
]

const ofInstallation = ({ installation, signingKeys }: Health, now: number): readonly Finding[] => {
  if (!installation) return []
  // a server that was set up a moment ago has had nothing to delete
  const madeAt = Math.min(now, ...signingKeys.map(({ effectiveAt }) => effectiveAt))
  const { pendingMigrations, expiredDeletedAt, databaseVersion } = installation
  return [
    ...when(pendingMigrations > 0, () => ({
      id: 'migrations',
      tone: 'bad',
      title: t('health.pending', { count: number(pendingMigrations) }),
      advice: t('health.pendingAdvice'),
    })),
    ...when(Number.parseInt(databaseVersion, 10) < OLDEST_POSTGRES, () => ({
      id: 'database',
      tone: 'bad',
      title: t('health.oldDatabase', { version: databaseVersion }),
      advice: t('health.oldDatabaseAdvice', { version: OLDEST_POSTGRES }),
    })),
    ...when(now - (expiredDeletedAt ?? madeAt) > CLEANED_WITHIN_MS, () => ({
      id: 'cleaning',
      tone: 'warn',
      title:
        expiredDeletedAt === null
          ? t('health.neverCleaned')
          : t('health.notCleaned', { when: ago(expiredDeletedAt, now) }),
      advice: t('health.worker'),
    })),
  ]
}

/** What the server says of its database and clock besides; what it says in more general words is above. */
const ofServer = ({ findings, installation }: Health): readonly Finding[] =>
  findings.flatMap(({ level, code }) => {
    const tone = level === 'error' ? 'bad' : 'warn'
    const { connections, longestTransactionSeconds } = installation ?? {}
    const said = (title: string, advice: string) => [{ id: code, tone, title, advice } as const]
    switch (code) {
      case 'clock.skew':
        return said(t('health.skew'), t('health.skewAdvice'))
      case 'database.connections':
        return said(
          t('health.fewConnections', { used: number(connections?.used ?? 0), most: number(connections?.most ?? 0) }),
          t('health.fewConnectionsAdvice'),
        )
      case 'database.privileges':
        return said(t('health.privileges'), t('health.privilegesAdvice'))
      case 'database.replica':
        return said(t('health.replica'), t('health.replicaAdvice'))
      case 'database.transaction':
        return said(
          t('health.longTransaction', { count: number(Math.floor((longestTransactionSeconds ?? 0) / 60)) }),
          t('health.longTransactionAdvice'),
        )
      default:
        return []
    }
  })

const ofHook = (hook: Row<'listHooks'>): readonly Finding[] => {
  const { tone, sentence } = stateOf(hook)
  return sentence !== undefined && (tone === 'bad' || tone === 'warn')
    ? [{ id: hook.id, tone, title: t('health.hook', { name: titleOf(hook) }), advice: sentence, hookId: hook.id }]
    : []
}

export const ownersOf = (administrators: readonly Row<'listAdministrators'>[]) =>
  administrators.filter(({ roleIds, isSuspended }) => roleIds.includes(OWNER) && !isSuspended)

const ofOwners = (administrators: readonly Row<'listAdministrators'>[]): readonly Finding[] =>
  when(ownersOf(administrators).length === 1, () => ({
    id: 'owners',
    tone: 'warn',
    title: t('health.oneOwner'),
    advice: t('health.oneOwnerAdvice'),
    screen: '/settings',
  }))

/** The worst first. @param administrators none: not known */
export const findingsOf = (
  health: Health,
  hooks: readonly Row<'listHooks'>[],
  administrators: readonly Row<'listAdministrators'>[],
  now: number,
): readonly Finding[] =>
  [
    ...ofKeys(health),
    ...ofInstallation(health, now),
    ...ofServer(health),
    ...ofQueues(health, now),
    ...hooks.flatMap(ofHook),
    ...ofOwners(administrators),
  ].sort((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'))
