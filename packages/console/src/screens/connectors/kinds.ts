/** The kinds of connectors, in the order in which they are shown, and what each is called. */
import type { Answer } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { tenantOrigin } from '../../session/place.ts'

export type Connector = Answer<'listConnectors'>[number]
export type Factory = Answer<'listConnectorFactories'>[number]
export type SsoConnector = Answer<'listSsoConnectors'>[number]
export type SsoProvider = Answer<'listSsoConnectorProviders'>[number]

export const KINDS = ['Email', 'Sms', 'Social', 'Sso'] as const
export type Kind = (typeof KINDS)[number]

interface KindWords {
  readonly title: Phrase
  readonly text: Phrase
  readonly none: Phrase
  readonly add: Phrase
}

export const KIND_WORDS: Readonly<Record<Kind, KindWords>> = {
  Email: {
    title: 'connectors.email',
    text: 'connectors.emailText',
    none: 'connectors.noEmail',
    add: 'connectors.setUp',
  },
  Sms: { title: 'connectors.sms', text: 'connectors.smsText', none: 'connectors.noSms', add: 'connectors.setUp' },
  Social: {
    title: 'connectors.social',
    text: 'connectors.socialText',
    none: 'connectors.noSocial',
    add: 'connectors.addSocial',
  },
  Sso: { title: 'connectors.sso', text: 'connectors.ssoText', none: 'connectors.noSso', add: 'connectors.addSso' },
}

export const isKind = (text: string | undefined): text is Kind =>
  (KINDS as readonly (string | undefined)[]).includes(text)

const inEnglish = (names: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof names?.en === 'string' && names.en !== '' ? names.en : undefined

export const factoryName = ({ id, name }: Pick<Factory, 'id' | 'name'>): string => inEnglish(name) ?? id

/** Words for services that are not told by their kind; `name` is theirs. */
const FACTORY_TEXTS: Readonly<Record<string, Phrase>> = {
  'simple-mail-transfer-protocol': 'services.smtp',
  'http-email': 'services.httpMail',
  'http-sms': 'services.httpSms',
  oidc: 'services.oidc',
  oauth2: 'services.oauth2',
  'azuread-universal': 'services.microsoft',
}
const KIND_TEXTS = { Email: 'services.mail', Sms: 'services.sms', Social: 'services.account' } as const

/** What a service does, in the language of the console. */
export const factoryText = (factory: Factory): string =>
  t(FACTORY_TEXTS[factory.id] ?? KIND_TEXTS[factory.type], { name: factoryName(factory) })

/** Whose accounts are at an identity provider. */
export const providerText = ({ providerName, name }: SsoProvider): string => {
  const protocol = providerName === 'SAML' || providerName === 'AzureAD' ? 'SAML 2.0' : 'OpenID Connect'
  if (providerName === 'OIDC' || providerName === 'SAML') return t('services.anyIdp', { protocol })
  return providerName === 'AzureAD' || providerName === 'AzureAdOidc'
    ? t('services.entra', { protocol })
    : t('services.company', { name })
}

/** What the tenant calls it, else its kind. */
export const connectorName = ({ metadata, name, connectorId }: Connector): string =>
  inEnglish(metadata.name) ?? inEnglish(name) ?? connectorId

/** How the instructions of providers name the address to register. */
const REDIRECT = /\s*Register (\{base URL\}\/callback\/\{id of the connector\}) as the redirect URI\./

/** The instructions of a provider without the address to register, which the screens show by itself, to copy. */
export const readmeOf = ({ readme }: Pick<Factory, 'readme'>): string => readme.replace(REDIRECT, '')

/** Where providers send users back to. */
export const callbackOf = (id: string): string => `${tenantOrigin()}/callback/${id}`
