/**
 * Which email addresses users may register with or add. Does not apply to the Management API, nor to addresses that
 * accounts already have. The allow list takes precedence.
 */
import type { SignInExperience } from '@countersign/contract/sign-in-experience.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { unicodeDomain } from './email-domain.ts'
import { keepIdentifier } from './identifiers.ts'

export type EmailBlocklistPolicy = Static<typeof SignInExperience.properties.emailBlocklistPolicy>

/** An entry in the form in which it is compared; undefined when it is neither an address nor `@domain`. */
const entryKey = (entry: string): string | undefined => {
  if (entry.startsWith('@')) {
    const domain = unicodeDomain(entry.slice(1))
    return domain && `@${domain}`
  }
  try {
    return keepIdentifier({ type: 'email', value: entry }).key
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Throws 400 `sign_in_experiences.invalid_custom_email_blocklist_format` with the entries that are neither address nor domain. */
export const assertBlocklistFormat = ({ customAllowlist = [], customBlocklist = [] }: EmailBlocklistPolicy): void => {
  const invalid = [...customAllowlist, ...customBlocklist].filter((entry) => entryKey(entry) === undefined)
  if (invalid.length > 0)
    throw new ApiError('sign_in_experiences.invalid_custom_email_blocklist_format', { items: invalid })
}

let disposable: ReadonlySet<string> | undefined

/** The domains of services for addresses to throw away; loaded when the first address is held against them. */
const disposableDomains = async (): Promise<ReadonlySet<string>> => {
  disposable ??= (await import('disposable-email-domains-js')).disposableEmailBlocklistSet()
  return disposable
}

/** Whether a domain or one above it is listed: such services hand out subdomains as well. */
const isDisposable = async (domain: string): Promise<boolean> => {
  const listed = await disposableDomains()
  const labels = domain.split('.')
  return labels.some((_, index) => index < labels.length - 1 && listed.has(labels.slice(index).join('.')))
}

/**
 * Throws 422 `session.email_blocklist.…` for an address that the policy refuses, 400 `user.invalid_email` for what is none.
 * `@domain` stands for that domain alone, however it is written, and not for those below it.
 */
export const assertEmailAllowed = async (address: string, policy: EmailBlocklistPolicy): Promise<void> => {
  const { value, key } = keepIdentifier({ type: 'email', value: address })
  const [local = '', domain = ''] = key.split('@')
  const isIn = (entries: readonly string[] = []) => {
    const keys = new Set(entries.map(entryKey))
    return keys.has(key) || keys.has(`@${domain}`)
  }
  if (isIn(policy.customAllowlist)) return
  if (policy.blockSubaddressing && local.includes('+'))
    throw new ApiError('session.email_blocklist.email_subaddressing_not_allowed')
  const isBlocked =
    isIn(policy.customBlocklist) || (policy.blockDisposableAddresses === true && (await isDisposable(domain)))
  if (isBlocked) throw new ApiError('session.email_blocklist.email_not_allowed', { email: value })
}
