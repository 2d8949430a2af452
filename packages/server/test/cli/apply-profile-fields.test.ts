/** Profile fields, email templates, phrases, the captcha provider and the account center in the file of a tenant. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const FIELDS = `customProfileFields:
  - { name: company, type: Text, label: Company, required: true, config: { minLength: 2, maxValue: 3 } }
  - { name: plan, type: Select, required: false, config: { options: [{ value: free }, { value: paid }] } }
`
const ASKED = 'signInExperience: { signUpProfileFields: [{ name: plan }] }\n'
const listed = async () => (await files.server.api('GET', '/custom-profile-fields')).body
const names = async () => (await listed()).map(({ name }: { name: string }) => name)

test('are created in the order of the file, before the settings that name them, and exported unchanged', async () => {
  expect(await files.apply(FIELDS + ASKED)).toEqual([
    '+ profile field company',
    '+ profile field plan',
    '~ sign-in settings: signUpProfileFields: null → [{"name":"plan"}]',
  ])
  expect(await files.apply(FIELDS + ASKED)).toEqual([])
  expect(await listed()).toMatchObject([{ name: 'company', config: { minLength: 2 } }, { name: 'plan' }])
  const exported = await files.export()
  expect(await files.apply(exported)).toEqual([])
  await files.createTenant('other')
  expect(await files.apply(exported, { tenant: 'other' })).toContain('+ profile field company')
  expect(await files.export('other')).toContain('- name: plan')
})

test('are updated where they differ, put in the order of the file, and deleted on request', async () => {
  await files.server.api('POST', '/custom-profile-fields', { name: 'age', type: 'Number', required: false })
  const [company, plan] = FIELDS.trim().split('\n').slice(1)
  const turned = `customProfileFields:\n${plan}\n${company?.replace('required: true', 'required: false')}\n`
  expect(await files.apply(turned)).toEqual([
    '~ profile field company: required: true → false',
    '~ profile fields: their order differs',
  ])
  expect(await names()).toEqual(['plan', 'company', 'age'])
  expect(await files.apply('customProfileFields: []\n', { prune: true })).toEqual([
    ...['- profile field plan', '- profile field company', '- profile field age'],
  ])
  expect(await names()).toEqual([])
  expect((await files.server.api('GET', '/sign-in-exp')).body.signUpProfileFields).toEqual([])
})

test('are refused with the place in the file, and nothing is applied', async () => {
  const twice =
    'customProfileFields:\n  - { name: a, type: Text, required: false }\n  - { name: a, type: Url, required: false }\n'
  expect(await files.faults(twice)).toContain('tenant.yaml:3:7: a is declared twice')
  const bad =
    'customProfileFields:\n  - { name: a, type: Text, required: false }\n  - { name: b, type: Select, required: false }\n'
  expect(await files.faults(bad)).toContain('A Select has at least one option')
  expect(await names()).toEqual([])
})

const TEMPLATES = `emailTemplates:
  - { languageTag: en, templateType: MagicLink, details: { subject: Come in, content: '<a href="{{link}}">$\{HERE}</a>' } }
  - { languageTag: de, templateType: SignIn, details: { subject: Code, content: '{{code}}', contentType: text/plain } }
`

test('email templates are created, updated where they differ, exported unchanged, and deleted on request', async () => {
  const made = ['+ email template MagicLink (en)', '+ email template SignIn (de)']
  expect(await files.apply(TEMPLATES, { isDry: true })).toEqual(made)
  expect(await files.apply(TEMPLATES)).toEqual(made)
  expect(await files.apply(TEMPLATES)).toEqual([])
  const exported = await files.export()
  expect(await files.apply(exported)).toEqual([])
  await files.createTenant('third')
  expect(await files.apply(exported, { tenant: 'third' })).toEqual(expect.arrayContaining(made))
  const sections = async (tenant: string) => (await files.export(tenant)).split('emailTemplates:')[1]
  expect(await sections('third')).toBe(await sections('default'))
  const changed = TEMPLATES.replace('subject: Come in', 'subject: Welcome').replace(', contentType: text/plain', '')
  expect(await files.apply(changed)).toEqual([
    '~ email template MagicLink (en): subject differs',
    '~ email template SignIn (de): contentType differs',
  ])
  const [template] = (await files.server.api('GET', '/email-templates?templateType=MagicLink')).body
  // nothing is substituted in a text
  expect([template.details.subject, template.details.content]).toEqual(['Welcome', expect.stringMatching(/\$\{HERE\}/)])
  const twice = TEMPLATES.replace('languageTag: de, templateType: SignIn', 'languageTag: en, templateType: MagicLink')
  expect(await files.faults(twice)).toContain('tenant.yaml:3:24: MagicLink (en) is declared twice')
  expect(await files.apply('emailTemplates: []\n', { prune: true })).toEqual([
    '- email template SignIn (de)',
    '- email template MagicLink (en)',
  ])
})

const PAGES = `customPhrases:
  en-gb: { signIn: Log in, identifier: { username: Member name }, createAccount: '' }
  xx: { signIn: Xx }
captchaProvider: { type: Turnstile, siteKey: site-4AAAA, secretKey: '$\{CAPTCHA_SECRET_KEY}' }
accountCenter: { enabled: true, fields: { name: Edit }, webauthnRelatedOrigins: [https://account.example], deleteAccountUrl: https://app.example/bye, profileFields: [] }
signInExperience: { languageInfo: { autoDetect: true, fallbackLanguage: xx } }
`
const env = { CAPTCHA_SECRET_KEY: 'the-key-of-the-widget' }
const applyPages = (text: string, options = {}) => files.apply(text, { env, ...options })

test('phrases, the captcha provider and the account center are set, reported if they differ, and exported without secrets', async () => {
  const set = [
    '+ phrases in en-GB',
    '+ phrases in xx',
    '+ captcha provider Turnstile',
    '~ account center: enabled: false → true; fields: {} → {"name":"Edit"}; webauthnRelatedOrigins: [] → ["https://account.example"]; deleteAccountUrl: null → "https://app.example/bye"; profileFields: null → []',
    expect.stringContaining('~ sign-in settings: languageInfo'),
  ]
  const before = await files.everything()
  expect(await applyPages(PAGES, { isDry: true })).toEqual(set)
  expect(await files.everything()).toEqual(before)
  expect(await applyPages(PAGES)).toEqual(set)
  expect(await applyPages(PAGES)).toEqual([])
  const exported = await files.export()
  expect(exported).not.toContain(env.CAPTCHA_SECRET_KEY)
  expect(await applyPages(exported)).toEqual([])
  await files.createTenant('fourth')
  expect(await applyPages(exported, { tenant: 'fourth' })).toEqual(expect.arrayContaining(set))
  const sections = async (tenant: string) => (await files.export(tenant)).split('customPhrases:')[1]
  expect(await sections('fourth')).toBe(await sections('default'))
  const { config } = (await files.server.api('GET', '/captcha-provider')).body
  expect(config.secretKey).toBe(env.CAPTCHA_SECRET_KEY)
  const changed = PAGES.replace('signIn: Log in', 'signIn: Enter').replace('site-4AAAA', 'site-5BBBB')
  expect(await applyPages(changed, { prune: true })).toEqual([
    '~ phrases in en-GB: signIn differs',
    '~ captcha provider Turnstile: siteKey differs',
  ])
})

test('phrases that pages fall back to are deleted after the settings name another language; null removes the captcha provider', async () => {
  const kept = 'customPhrases: { EN-GB: { signIn: Enter, identifier: { username: Member name } } }\n'
  expect(await files.faults(kept, { prune: true })).toMatch(/^tenant\.yaml:1:1: /)
  const another =
    'captchaProvider: null\nsignInExperience: { languageInfo: { autoDetect: true, fallbackLanguage: en } }\n'
  expect(await files.apply(kept + another, { prune: true })).toEqual([
    '- captcha provider Turnstile',
    expect.stringContaining('~ sign-in settings'),
    '- phrases in xx',
  ])
  expect((await files.server.api('GET', '/captcha-provider')).status).toBe(404)
})

test('phrases, keys and origins that cannot be are refused with their place', async () => {
  const refused = async (text: string) => await files.faults(text)
  expect(await refused('customPhrases:\n  en: { nothing: Like it }\n')).toMatch(/^tenant\.yaml:2:3: /)
  expect(await refused('customPhrases:\n  en-gb: {}\n  en-GB: {}\n')).toContain(':3:3: en-GB is declared twice')
  expect(await refused('accountCenter:\n  webauthnRelatedOrigins: [ftp://a.example]\n')).toMatch(/^tenant\.yaml:2:3: /)
  for (const wrong of ['deleteAccountUrl: javascript:void', 'profileFields: [{ name: nothing }]'])
    expect(await refused(`accountCenter:\n  ${wrong}\n`)).toMatch(/^tenant\.yaml:2:3: /)
  expect(await refused('accountCenter:\n  on: true\n')).toContain(':2:3: on is not a known key')
  const keyless = await refused('captchaProvider:\n  type: Turnstile\n  siteKey: a\n  site: b\n')
  expect(keyless).toContain('tenant.yaml:1:1: captchaProvider lacks secretKey')
  expect(keyless).toContain(':4:3: site is not a known key')
  // what another provider has is no error of this one
  expect(keyless).not.toMatch(/projectId|constant/)
})

const ROLES = `administratorRoles:
  - { name: Help desk, description: First line, permissions: ['write:users', 'read:users'] }
  - { name: Reader, permissions: ['read:logs'] }
`

test('own roles of administrators are created, changed, exported unchanged, and deleted on request unless held', async () => {
  const made = ['+ administrator role Help desk', '+ administrator role Reader']
  expect(await files.apply(ROLES, { isDry: true })).toEqual(made)
  expect(await files.apply(ROLES)).toEqual(made)
  expect(await files.apply(ROLES)).toEqual([])
  const exported = await files.export()
  expect(exported).not.toContain('Auditor')
  expect(await files.apply(exported)).toEqual([])
  await files.createTenant('fifth')
  expect(await files.apply(exported, { tenant: 'fifth' })).toEqual(expect.arrayContaining(made))
  const section = async (tenant: string) => (await files.export(tenant)).split('administratorRoles:')[1]
  expect(await section('fifth')).toBe(await section('default'))
  expect(await files.apply(ROLES.replace('First line', 'Line 1').replace("'write:users'", "'read:logs'"))).toEqual([
    '~ administrator role Help desk: description: "First line" → "Line 1"; permissions: + read:logs, - write:users',
  ])
  const roles = (await files.server.api('GET', '/administrator-roles')).body as { id: string; name: string }[]
  const owner = (await files.server.api('POST', '/users', { username: 'first_owner' })).body.id
  const reader = (await files.server.api('POST', '/users', { username: 'reader' })).body.id
  await files.server.api('PUT', `/administrators/${owner}`, { roleIds: ['owner'] })
  const roleIds = roles.filter(({ name }) => name === 'Reader').map(({ id }) => id)
  expect((await files.server.api('PUT', `/administrators/${reader}`, { roleIds })).status).toBe(200)
  expect(await files.apply('administratorRoles: []\n', { prune: true })).toEqual([
    '- administrator role Help desk',
    '= administrator role Reader: administrators hold it',
  ])
  const refused = async (role: string) => await files.faults(`administratorRoles:\n  - ${role}\n`)
  expect(await refused('{ name: Owner, permissions: [] }')).toMatch(
    /^tenant\.yaml:2:\d+: Owner is a role that is built in/,
  )
  expect(await refused("{ name: Other, permissions: ['read:nothing'] }")).toMatch(/^tenant\.yaml:2:\d+: /)
  expect(await files.faults(`${ROLES}  - { name: Reader, permissions: [] }\n`)).toContain('Reader is declared twice')
})
