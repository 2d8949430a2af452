/** What the pages of an organization's single sign-on say of what the domain refuses. */
import type { ApiError } from '../../kernel/api-error.ts'
import type { Phrases } from '../../languages/en.ts'
import { fill } from '../../presentation/language.ts'

type Texts = Phrases['singleSignOn']

const TEXTS: Readonly<Record<string, (texts: Texts) => string>> = {
  'single_sign_on.invalid_domain_format': ({ invalidDomain }) => invalidDomain,
  'single_sign_on.forbidden_domains': ({ publicDomain }) => publicDomain,
  'single_sign_on.domain_in_use': ({ domainInUse }) => domainInUse,
  'single_sign_on.duplicated_domains': ({ listed }) => listed,
  'entity.unique_integrity_violation': ({ listed }) => listed,
  'single_sign_on.domain_not_verified': ({ notProved }) => notProved,
  'single_sign_on.can_not_delete_active_signing_key': ({ stillActive }) => stillActive,
}

/** Why a record does not prove a domain, as the domain says it. */
const recordText = (reason: unknown, texts: Texts): string => {
  if (reason === 'there is none') return texts.recordMissing
  return reason === 'it has another value' ? texts.recordDiffers : texts.noAnswer
}

/** The label of each input of the settings, by the member of the configuration. */
const LABELS = {
  connectorName: ({ name }) => name,
  issuer: ({ issuer }) => issuer,
  clientId: ({ clientId }) => clientId,
  clientSecret: ({ clientSecret }) => clientSecret,
  metadataUrl: ({ metadataUrl }) => metadataUrl,
  metadata: ({ metadataFile }) => metadataFile,
  entityId: ({ providerEntityId }) => providerEntityId,
  signInEndpoint: ({ signInUrl }) => signInUrl,
  x509Certificate: ({ certificates }) => certificates,
} as const satisfies Readonly<Record<string, (texts: Texts) => string>>
export type LabelledSetting = keyof typeof LABELS

/** What an input of the settings is called. */
export const labelOf = (texts: Texts, name: LabelledSetting): string => LABELS[name](texts)

const isLabelled = (name: string): name is LabelledSetting => Object.hasOwn(LABELS, name)

/** What does not fit, by its input, or the reason as the server says it: identity providers have no other language. */
const unfitText = ({ data }: ApiError, texts: Texts): string => {
  const [first] = (data?.issues ?? []) as readonly { readonly path: string }[]
  const name = first?.path.split('/').at(-1) ?? ''
  return isLabelled(name)
    ? fill(texts.invalidField, { label: labelOf(texts, name) })
    : fill(texts.unusable, { reason: String(data?.reason ?? '') })
}

/** Undefined for any other error. */
export const ssoErrorText = (error: ApiError, { singleSignOn: texts, account, taken }: Phrases): string | undefined => {
  const { code, data } = error
  if (code === 'single_sign_on.domain_record_not_found') return recordText(data?.reason, texts)
  if (code === 'single_sign_on.reach_limit') return fill(texts.limit, { count: String(data?.limit) })
  if (code === 'single_sign_on.duplicate_connector_name') return taken
  if (code === 'guard.file_size_exceeded') return fill(account.pictureTooLarge, { limit: METADATA_LIMIT })
  if (code === 'guard.invalid_input') return unfitText(error, texts)
  return TEXTS[code]?.(texts)
}

/** The largest file of metadata, in bytes. */
export const LARGEST_METADATA = 256 * 1024
/** The same for people. */
export const METADATA_LIMIT = '256 KB'
