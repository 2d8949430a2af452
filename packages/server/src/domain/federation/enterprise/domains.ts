/** The email domains of an SSO connector: whoever controls the identity provider speaks for every address there. */
import { ApiError } from '../../../kernel/api-error.ts'
import { emailDomainKey } from '../../credentials/email-domain.ts'

/** Domains at which everyone can have an address: no company speaks for them. */
const PUBLIC_DOMAINS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de'],
  ...['hotmail.fr', 'hotmail.co.uk', 'hotmail.it', 'hotmail.es', 'live.co.uk', 'live.fr', 'live.nl', 'outlook.fr'],
  ...['yahoo.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr', 'yahoo.it', 'yahoo.es', 'yahoo.co.jp', 'yahoo.co.in'],
  ...['yahoo.com.br', 'ymail.com', 'rocketmail.com', 'aol.com', 'aim.com', 'icloud.com', 'me.com', 'mac.com'],
  ...['gmx.com', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'web.de', 't-online.de', 'freenet.de', 'mail.com'],
  ...['protonmail.com', 'proton.me', 'pm.me', 'tutanota.com', 'tuta.io', 'fastmail.com', 'zoho.com', 'zohomail.com'],
  ...['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'yandex.ru', 'yandex.com', 'ya.ru', 'rambler.ru', 'qq.com'],
  ...['foxmail.com', '163.com', '126.com', 'yeah.net', 'sina.com', 'sohu.com', '139.com', 'naver.com', 'daum.net'],
  ...['hanmail.net', 'orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'sfr.fr', 'libero.it', 'virgilio.it'],
  ...['wp.pl', 'onet.pl', 'o2.pl', 'interia.pl', 'seznam.cz', 'uol.com.br', 'bol.com.br', 'terra.com.br'],
  ...[
    'comcast.net',
    'verizon.net',
    'att.net',
    'sbcglobal.net',
    'bellsouth.net',
    'cox.net',
    'btinternet.com',
    'hey.com',
  ],
])

const refuse = (
  code:
    | 'single_sign_on.invalid_domain_format'
    | 'single_sign_on.forbidden_domains'
    | 'single_sign_on.duplicated_domains',
  domains: readonly string[],
): void => {
  if (domains.length > 0) throw new ApiError(code, { domains: [...new Set(domains)] })
}

/**
 * The domains as they are stored. Throws 422 `single_sign_on.…` naming those that are no domain names, at which everyone can have
 * an address, or that are there twice.
 */
export const ssoDomains = (texts: readonly string[]): string[] => {
  const keys = texts.map(emailDomainKey)
  refuse(
    'single_sign_on.invalid_domain_format',
    texts.filter((_, index) => keys[index] === undefined),
  )
  const domains = keys.flatMap((key) => key ?? [])
  refuse(
    'single_sign_on.forbidden_domains',
    domains.filter((domain) => PUBLIC_DOMAINS.has(domain)),
  )
  refuse(
    'single_sign_on.duplicated_domains',
    domains.filter((domain, index) => domains.indexOf(domain) !== index),
  )
  return domains
}
