/** A log entry in plain words: what happened, to whom it belongs, and which scopes were left out and why. */
import type { Row } from '../../api/client.ts'
import { type Operation, routeOf } from '../../api/client.ts'
import { currentLanguage, type Phrase, t } from '../../languages/languages.ts'
import { operationWords } from './operations.ts'

export type Entry = Row<'listLogs'>

const KEYS: Readonly<Record<string, Phrase>> = {
  'ExchangeTokenBy.AuthorizationCode': 'log.code',
  'ExchangeTokenBy.ClientCredentials': 'log.clientCredentials',
  'ExchangeTokenBy.DeviceCode': 'log.deviceCode',
  'ExchangeTokenBy.BackchannelAuthentication': 'log.backchannelTokens',
  'ExchangeTokenBy.JwtBearer': 'log.jwtBearer',
  'ExchangeTokenBy.RefreshToken': 'log.refresh',
  'ExchangeTokenBy.TokenExchange': 'log.exchange',
  'ExchangeTokenBy.Unknown': 'log.unknownGrant',
  RevokeToken: 'log.revoke',
  EndSession: 'log.endSession',
  'Interaction.Create': 'log.interaction',
  'Interaction.Authorize': 'log.authorize',
  'Interaction.SignIn.Submit': 'log.signIn',
  'Interaction.Register.Submit': 'log.register',
  'Interaction.ForgotPassword.Submit': 'log.forgotPassword',
  'Interaction.Consent.Submit': 'log.consent',
  'Interaction.SelectAccount.Submit': 'log.selectAccount',
  'Interaction.Device.Submit': 'log.deviceSubmit',
  'Interaction.Device.Answer': 'log.deviceAnswer',
  RequestBackchannelAuthentication: 'log.backchannelRequest',
  'Interaction.Backchannel.Submit': 'log.backchannelSubmit',
  'Interaction.Backchannel.Answer': 'log.backchannelAnswer',
  FirstAdministrator: 'log.firstAdministrator',
}

/** The keys that the filter offers. */
export const FILTER_KEYS: readonly string[] = Object.keys(KEYS).filter((key) => key !== 'ExchangeTokenBy.Unknown')

/** What the server does by itself has keys such as `System.setUpTenant`. */
const OF_SERVER = 'System'

export const isOfServer = ({ key }: Pick<Entry, 'key'>): boolean => key.startsWith(`${OF_SERVER}.`)

/** `setUpTenant` as "Set up tenant". */
const spaced = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What an operation of the Management API did; undefined for one that there no longer is. In English by its own sentence. */
const operationInWords = (operation: string): string | undefined => {
  const words = currentLanguage() === 'en' ? undefined : operationWords(operation)
  if (words) return t('log.operation', { thing: t(words.thing), action: t(words.action) })
  try {
    return routeOf(operation as Operation).summary
  } catch {
    return undefined
  }
}

/** A key of the log as a sentence; a key that has none stays itself. */
export const keyInWords = (key: string): string => {
  const phrase = KEYS[key]
  if (phrase !== undefined) return t(phrase)
  const [area, operation = ''] = key.split('.')
  if (area === 'ManagementApi') return operationInWords(operation) ?? key
  if (area === 'Scim') return `SCIM: ${spaced(operation)}`
  return area === OF_SERVER ? spaced(operation) : key
}

/** The console's own application. */
export const CONSOLE_ID = 'console'

export const isRefused = ({ payload }: Entry): boolean => payload.result === 'Error'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Why it was refused, as the log says it. */
export const reasonOf = ({ payload }: Entry): string | undefined => {
  const { reason, description, error } = payload as Readonly<Record<string, unknown>>
  return textOf(reason) ?? textOf(description) ?? textOf(error)
}

interface Dropped {
  readonly scope: string
  readonly why: string
}

/** The scopes that a token lacks although they were asked for. */
export const droppedOf = ({ payload }: Entry): readonly Dropped[] => {
  const { dropped } = payload as { readonly dropped?: unknown }
  return Array.isArray(dropped)
    ? dropped.flatMap((each: unknown) => {
        const { scope, why } = each as Partial<Dropped>
        return typeof scope === 'string' ? [{ scope, why: textOf(why) ?? '' }] : []
      })
    : []
}

/** Facts of an entry that are one line each, in the order in which people ask for them. */
export const factsOf = ({ key, payload, id }: Entry): readonly (readonly [name: Phrase, value: string])[] => {
  const more = payload as Readonly<Record<string, unknown>>
  const facts: readonly (readonly [Phrase, unknown])[] = [
    ['log.user', payload.userId],
    ['log.application', payload.applicationId ?? payload.cimdClientId],
    ['log.resource', more.resource],
    ['log.scope', more.scope],
    ['log.organization', more.organizationId],
    ['log.redirectUri', more.redirectUri],
    ['log.ip', payload.ip],
    ['log.agent', payload.userAgent],
    ['log.request', payload.requestId],
    ['log.key', key],
    ['log.entry', id],
  ]
  return facts.flatMap(([name, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text] as const]
  })
}
