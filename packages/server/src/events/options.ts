/** The options of what leaves the server. */
import { Resolver } from 'node:dns'
import { oneOf, option, readableFile } from '../kernel/configuration.ts'
import { isRange } from '../kernel/network.ts'
import type { Allowed } from './addresses.ts'

const HOST = /^(?!.*\.\.)[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/

const parseAllowed = (value: string): Allowed => {
  const entries = value
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
  const ranges = entries.filter(isRange)
  const hosts = entries.filter((entry) => !isRange(entry))
  const wrong = hosts.find((entry) => !HOST.test(entry) || /^[\d.]+$/.test(entry))
  if (wrong !== undefined) {
    throw new Error(
      `must be a comma-separated list of host names, addresses and CIDR ranges; "${wrong}" is none of these`,
    )
  }
  return { hosts, ranges }
}

const webAddress = (value: string): string => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) throw new Error('must be an http or https address')
  return value.endsWith('/') ? value : `${value}/`
}

const nameServers = (value: string): readonly string[] => {
  const servers = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  try {
    new Resolver().setServers(servers)
  } catch (error) {
    throw new Error('must be a comma-separated list of addresses, each with a port or without', { cause: error })
  }
  return servers
}

export const eventOptions = {
  outboundAllow: option({
    env: 'OUTBOUND_ALLOW',
    default: '',
    description:
      'Host names, addresses and CIDR ranges, separated by commas, that the server may connect to although they are not public, such as an internal mail relay, and to which it may send requests by plain http. Dangerous: callers who may register an address with the server can then reach them. Empty: only public addresses by https, and loopback ones while BASE_URL is itself loopback.',
    parse: parseAllowed,
  }),
  dnsServers: option({
    env: 'DNS_SERVERS',
    default: '',
    description:
      'The name servers, addresses with or without a port, separated by commas, that are asked for the records with which organizations prove that an email domain is theirs. Whoever can forge their answers can take a domain. Empty: those of the machine.',
    parse: nameServers,
  }),
  pwnedPasswordsFile: option({
    env: 'PWNED_PASSWORDS_FILE',
    default: undefined,
    description:
      'A copy of the list of breached passwords (Pwned Passwords: SHA-1 hashes with counts, sorted by hash), in which new passwords are looked up where the password policy of a tenant has rejects.pwned. With it no request is sent.',
    parse: readableFile,
  }),
  pwnedPasswordsUrl: option({
    env: 'PWNED_PASSWORDS_URL',
    default: 'https://api.pwnedpasswords.com/range/',
    description:
      'Where breached passwords are asked for without PWNED_PASSWORDS_FILE, by the first five characters of their SHA-1 hash. Nothing is sent unless the password policy of a tenant has rejects.pwned.',
    parse: webAddress,
  }),
  turnstileUrl: option({
    env: 'TURNSTILE_URL',
    default: 'https://challenges.cloudflare.com/turnstile/v0/',
    description: 'Where tokens of Turnstile are verified, for tenants that have it as their captcha provider.',
    parse: webAddress,
  }),
  recaptchaUrl: option({
    env: 'RECAPTCHA_URL',
    default: 'https://recaptchaenterprise.googleapis.com/v1/',
    description:
      'Where tokens of reCAPTCHA Enterprise are verified, for tenants that have it as their captcha provider.',
    parse: webAddress,
  }),
  workers: option({
    env: 'WORKERS',
    default: 'on',
    description:
      'Whether `countersign start` also does the background work: webhooks, mail, logout tokens, deleting what has expired. off leaves that to `countersign worker` processes, and requires DATABASE_URL.',
    parse: oneOf(['on', 'off']),
  }),
}
