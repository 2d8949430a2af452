/** The pages on which members create, configure and delete an SSO connector of their organization. */
import type { SsoConfig, SsoProviderName } from '@countersign/contract/sso-connector-configs.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import {
  createManagedConnector,
  deleteManagedConnector,
  domainsManaged,
  updateManagedConnector,
} from '../../domain/account/organization-sso.ts'
import type { SsoConnector } from '../../domain/federation/enterprise/connectors.ts'
import { SSO_PRESETS } from '../../domain/federation/enterprise/presets.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Phrases } from '../../languages/en.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { type AccountContext, entered, toAccount, tokenField, work } from './account-page.ts'
import { type Change, simpleForm } from './change-page.ts'
import { connectorHere, connectorHome, connectorNamed } from './identity-provider.ts'
import { fileField, inputField, textArea } from './inputs.ts'
import { addressed, partsOf, ssoHome } from './organization-sso.ts'
import { removal } from './removals.ts'
import { LARGEST_METADATA, type LabelledSetting, labelOf, METADATA_LIMIT, ssoErrorText } from './sso-errors.ts'

const field = 'organizationSso'
const section = 'organizations'

const nameInput = ({ singleSignOn }: Phrases, value: string): SafeHtml =>
  inputField({
    ...{ name: 'connectorName', label: singleSignOn.name, hint: singleSignOn.nameHint, value },
    ...{ mostCharacters: 128, isRequired: true },
  })

/** Throws 400 for what the contract does not take as a name. */
const nameIn = (fields: Parameters): string => {
  const name = entered(fields, 'connectorName').trim()
  if (name === '' || name.length > 128)
    throw new ApiError('guard.invalid_input', { reason: '', issues: [{ path: '/connectorName' }] })
  return name
}

const added: Change = {
  field,
  section,
  home: ssoHome,
  errorText: ssoErrorText,
  async form(context, typed) {
    const { phrases } = context.language
    const { singleSignOn, account } = phrases
    const chosen = typed ? entered(typed, 'providerName') : ''
    // whether one may be added at all
    await domainsManaged(work(context, 'SingleSignOn'), context.holder, context.rules, partsOf(context)[0])
    const content = html`<div class="field">
<label for="providerName">${singleSignOn.provider}</label>
<select id="providerName" name="providerName" autofocus>${SSO_PRESETS.map(
      ({ providerName, name }) =>
        html`<option value="${providerName}" ${providerName === chosen ? html`selected` : ''}>${name}</option>`,
    )}</select>
</div>
${nameInput(phrases, typed ? entered(typed, 'connectorName') : '')}`
    return { title: singleSignOn.addProvider, body: simpleForm(context, content, account.add) }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const [organizationId] = partsOf(context)
    const preset = SSO_PRESETS.find(({ providerName }) => providerName === entered(fields, 'providerName'))
    if (!preset) throw new ApiError('guard.invalid_input', { reason: 'there is no such provider' })
    const input = { providerName: preset.providerName as SsoProviderName, connectorName: nameIn(fields) }
    const doing = work(context, 'AddIdentityProvider')
    const { id } = await perform(doing, createManagedConnector, holder, rules, organizationId, input)
    return { answer: toAccount(context, `/identity-provider?id=${addressed(organizationId, id)}&saved=1`) }
  },
}

/** The settings that have an input; the rest stays as it is. A client secret is never shown. */
const SHOWN = ['issuer', 'clientId', 'metadataUrl', 'entityId', 'signInEndpoint', 'x509Certificate'] as const
type ShownSetting = (typeof SHOWN)[number]

/** What the inputs have: what was typed, else what is stored. */
const shownIn = (connector: SsoConnector, typed: Parameters | undefined) => (name: ShownSetting) =>
  typed ? entered(typed, name) : (connector.config[name] ?? '')

type Line = (name: LabelledSetting & ShownSetting, type?: 'url') => SafeHtml

const oidcInputs = ({ singleSignOn }: Phrases, { preset, config }: SsoConnector, line: Line): SafeHtml =>
  html`${preset.issuer === undefined ? line('issuer', 'url') : ''}
${line('clientId')}
${inputField({
  ...{ name: 'clientSecret', label: labelOf(singleSignOn, 'clientSecret'), value: '', type: 'password' },
  ...{ hint: config.clientSecret === undefined ? undefined : singleSignOn.secretKept, mostCharacters: 4096 },
})}`

const samlInputs = (
  { singleSignOn }: Phrases,
  { config }: SsoConnector,
  line: Line,
  certificates: string,
): SafeHtml => {
  const limit = fill(singleSignOn.fileHint, { limit: METADATA_LIMIT })
  const hint = config.metadata === undefined ? limit : `${singleSignOn.fileStored} ${limit}`
  return html`${line('metadataUrl', 'url')}
${fileField({ name: 'file', label: singleSignOn.metadataFile, hint, accept: '.xml,application/xml,text/xml,application/samlmetadata+xml' })}
<details><summary>${singleSignOn.byHand}</summary>
${line('entityId')}
${line('signInEndpoint', 'url')}
${textArea({ name: 'x509Certificate', label: singleSignOn.certificates, value: certificates, hint: 'PEM' })}</details>`
}

/** Before the domain, in the name of its box: a form with a file has each name once. */
const BOX = 'domain.'

const domainsIn = (fields: Parameters): string[] =>
  [...fields.keys()].filter((name) => name.startsWith(BOX)).map((name) => name.slice(BOX.length))

const domainInputs = ({ singleSignOn }: Phrases, verified: readonly string[], chosen: ReadonlySet<string>): SafeHtml =>
  verified.length === 0
    ? html`<p class="hint">${singleSignOn.notProved}</p>`
    : html`<fieldset class="choices"><legend>${singleSignOn.domains}</legend>
${verified.map(
  (domain) =>
    html`<label><input type="checkbox" name="${BOX}${domain}" value="on" ${chosen.has(domain) ? html`checked` : ''}>${domain}</label>
`,
)}</fieldset>`

const verifiedDomains = async (context: AccountContext): Promise<string[]> => {
  const { holder, rules } = context
  const rows = await domainsManaged(work(context, 'SingleSignOn'), holder, rules, partsOf(context)[0])
  return rows.filter(({ verified_at }) => verified_at !== null).map(({ domain }) => domain)
}

/** The configuration with what was entered in place of what has inputs. */
const configIn = ({ config, preset }: SsoConnector, fields: Parameters): SsoConfig => {
  const { clientSecret: _, metadata: stored, ...kept } = config
  const names = preset.providerType === 'oidc' ? SHOWN.slice(0, 2) : SHOWN.slice(2)
  const lines = Object.fromEntries(names.map((name) => [name, entered(fields, name).trim() || undefined]))
  const [secret, file] = [entered(fields, 'clientSecret'), entered(fields, 'file')]
  // a file that was chosen now takes the place of the address; an address that of the file before
  const metadata = file || (lines.metadataUrl === undefined ? stored : undefined)
  const entries = Object.entries({
    ...kept,
    ...lines,
    ...(preset.providerType === 'saml' ? { metadata, ...(file ? { metadataUrl: undefined } : {}) } : {}),
    clientSecret: preset.providerType === 'oidc' ? secret || undefined : undefined,
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const changed: Change = {
  field,
  section,
  home: connectorHome,
  largestFile: LARGEST_METADATA,
  errorText: ssoErrorText,
  async form(context, typed) {
    const { phrases } = context.language
    const { singleSignOn, account } = phrases
    const connector = await connectorHere(context)
    const value = shownIn(connector, typed)
    const line: Line = (name, type) =>
      inputField({ name, label: labelOf(singleSignOn, name), value: value(name), ...(type ? { type } : {}) })
    const isSaml = connector.preset.providerType === 'saml'
    const inputs = isSaml
      ? samlInputs(phrases, connector, line, value('x509Certificate'))
      : oidcInputs(phrases, connector, line)
    const chosen = new Set(typed ? domainsIn(typed) : connector.domains)
    return {
      title: fill(singleSignOn.settingsTitle, { name: connector.name }),
      body: html`<form method="post" id="change" ${isSaml ? html`enctype="multipart/form-data"` : ''}>
${tokenField(context)}
${nameInput(phrases, typed ? entered(typed, 'connectorName') : connector.name)}
${inputs}
${domainInputs(phrases, await verifiedDomains(context), chosen)}
<button type="submit" id="submit">${account.save}</button>
</form>`,
    }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const connector = await connectorHere(context)
    const change = {
      connectorName: nameIn(fields),
      config: configIn(connector, fields),
      domains: domainsIn(fields),
    }
    const doing = work(context, 'ChangeIdentityProvider')
    await perform(doing, updateManagedConnector, holder, rules, connectorNamed(context), change)
    return undefined
  },
}

const removed: Change = {
  ...removal({
    field,
    section,
    async describe(context) {
      const { account, singleSignOn } = context.language.phrases
      const { name } = await connectorHere(context)
      return {
        title: fill(account.removeTitle, { name }),
        lead: singleSignOn.removeProviderLead,
        button: account.remove,
      }
    },
    run: (context) =>
      perform(
        ...([work(context, 'RemoveIdentityProvider'), deleteManagedConnector] as const),
        ...([context.holder, context.rules, connectorNamed(context)] as const),
      ),
  }),
  home: ssoHome,
}

/** The change whose form brings a file. */
export const providerSettings = changed
export const providerChanges = { 'add-identity-provider': added, 'remove-identity-provider': removed } as const
