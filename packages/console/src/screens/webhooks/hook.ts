/** A webhook as a form holds it, what is sent for it, and its state in words. */
import type { Input, Row } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import type { Tone } from '../../parts/badge.tsx'

export type Hook = Row<'listHooks'>
type HookBody = NonNullable<Input<'createHook'>>['body']

/** Each field is a text: events with commas between them, headers as lines. */
export type HookValues = Readonly<Record<'name' | 'url' | 'events' | 'headers' | 'ordered', string>>

export const NEW_HOOK: HookValues = { name: '', url: '', events: '', headers: '', ordered: 'false' }

/** Headers may hold credentials: no draft keeps them. */
export const SECRET_FIELDS: readonly (keyof HookValues)[] = ['headers']

export const valuesOf = ({ name, config, events, event, ordered }: Hook): HookValues => ({
  name,
  url: config.url,
  events: (events.length > 0 || event === null ? [...events] : [event]).sort().join(','),
  headers: Object.entries(config.headers ?? {})
    .map(([header, value]) => `${header}: ${value}`)
    .join('\n'),
  ordered: String(ordered),
})

const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.includes(':') ? line.indexOf(':') : line.length
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )

/** @param stored what the form does not show and a change keeps */
export const bodyOf = ({ name, url, events, headers, ordered }: HookValues, stored?: Hook) =>
  ({
    ...(name.trim() ? { name: name.trim() } : {}),
    events: (events === '' ? [] : events.split(',')) as NonNullable<HookBody['events']>,
    config: {
      url: url.trim(),
      headers: headersOf(headers),
      ...(stored?.config.retries === undefined ? {} : { retries: stored.config.retries }),
    },
    ordered: ordered === 'true',
  }) satisfies HookBody

export const titleOf = ({ name, config }: Hook): string => name || config.url

const REASONS = {
  Gone: 'webhooks.off.gone',
  Failing: 'webhooks.off.failing',
  Requested: 'webhooks.off.requested',
} as const satisfies Record<string, Phrase>

interface State {
  readonly tone: Tone
  readonly word: string
  /** What to know about it; undefined when all is well. */
  readonly sentence?: string
}

export const stateOf = ({ enabled, disabledReason, failingSince, pausedUntil }: Hook, now = Date.now()): State => {
  if (!enabled)
    return {
      tone: disabledReason === 'Requested' || disabledReason === null ? 'plain' : 'bad',
      word: t('webhooks.off'),
      sentence: t(REASONS[disabledReason ?? 'Requested']),
    }
  const paused =
    pausedUntil !== null && pausedUntil > now ? t('webhooks.pausedText', { when: ago(pausedUntil, now) }) : undefined
  if (failingSince !== null)
    return {
      tone: 'warn',
      word: t('webhooks.failing'),
      sentence: [t('webhooks.failingText', { when: ago(failingSince, now) }), paused].filter(Boolean).join(' '),
    }
  if (paused !== undefined) return { tone: 'warn', word: t('webhooks.paused'), sentence: paused }
  return { tone: 'good', word: t('webhooks.on') }
}
