/** The walk through the pages of codes, second factors and profile fields, as a user reaches them. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { codeOf } from '../factors/arrange.ts'
import { connectMailServer } from '../management/mail.ts'
import { createUser, PASSWORD } from '../sign-in/arrange.ts'
import { setLook } from './look.ts'

const FACTORS = ['Totp', 'WebAuthn', 'EmailVerificationCode', 'BackupCode']
const part = (name: string) => ({ name, type: 'Text', enabled: true, required: true })
const FIELDS = [
  { name: 'fullname', type: 'Fullname', required: true, config: { parts: ['givenName', 'familyName'].map(part) } },
  { name: 'birthdate', type: 'Date', required: false, config: { format: 'yyyy-MM-dd' } },
  { name: 'plan', type: 'Select', label: 'Plan', required: true, config: { options: [{ value: 'free' }] } },
  { name: 'news', type: 'Checkbox', label: 'News, about once a month', required: false },
]
const method = (identifier: string, verificationCode = false) => ({
  ...{ identifier, password: true, verificationCode, isPasswordPrimary: true },
})

export const walkFactors = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  go: () => Promise<void>,
): Promise<void> => {
  const mail = await connectMailServer(server)
  const press = async (button: string, next: string) => {
    await page.click(button)
    await page.waitForSelector(next)
  }
  /** Signs in with the password, in a browser without any stored state. */
  const enter = async (username: string, next: string) => {
    await page.context().clearCookies()
    await go()
    await page.fill('#identifier', username)
    await page.fill('#password', PASSWORD)
    await press('#submit', next)
  }
  const type = async (code: string, next: string) => {
    await page.fill('#code', code)
    await press('#submit', next)
  }
  try {
    const { id, username } = await createUser(server)
    const primaryEmail = `${username}@a-domain-whose-name-is-longer-than-a-line-of-a-phone.example.com`
    const mfa = { factors: FACTORS, policy: 'Mandatory' }
    await setLook(server, { mfa, trustedDevice: { enabled: true, durationDays: 30 } })
    await enter(username, '.ways')
    await visit('choice of a factor')
    await press('#choose-WebAuthn', '#another')
    await visit('creation of a passkey')
    await press('#another', '.ways')
    await press('#choose-Totp', '#key')
    await visit('set-up of an app')
    const secret = (await page.textContent('#key'))?.replaceAll(' ', '') ?? ''
    await type('000', '#problem')
    await visit('set-up of an app, wrong code')
    await type(codeOf(server, secret), '#codes')
    await visit('backup codes')

    await enter(username, '.ways')
    await press('#choose-EmailVerificationCode', '#identifier')
    await visit('address for codes')
    await page.fill('#identifier', 'no address')
    await press('#submit', '#problem')
    await visit('address for codes, wrong')
    await page.fill('#identifier', primaryEmail)
    await press('#submit', '#code')
    await visit('address for codes, code sent')
    await type('000000', '#problem')
    await visit('address for codes, wrong code')

    await server.api('PATCH', `/users/${id}`, { primaryEmail })
    for (const factor of ['Totp', 'BackupCode'])
      await server.api('POST', `/users/${id}/mfa-verifications`, { type: factor })
    await enter(username, '#others')
    await visit('second factor, an app')
    await type('000000', '#problem')
    await visit('second factor, wrong')
    await press('#factor-EmailVerificationCode', '#send-code')
    await visit('second factor, before a code is sent')
    await press('#send-code', '#code')
    await visit('second factor, code sent')
    await press('#factor-BackupCode', '#code')
    await visit('second factor, a backup code')

    await setLook(server, { signIn: { methods: [method('username'), method('email', true)] } })
    await page.context().clearCookies()
    await go()
    await visit('sign-in, with a code as another way')
    await page.fill('#identifier', primaryEmail)
    await press('#use-code', '#sign-in-code')
    await visit('code that signs in')
    await type('000000', '#problem')
    await visit('code that signs in, wrong')

    for (const field of FIELDS) await server.api('POST', '/custom-profile-fields', field)
    await setLook(server, { signUpProfileFields: FIELDS.map(({ name }) => ({ name })) })
    await go()
    await press('#register', '#password-hint')
    await page.fill('#identifier', `${username}_too`)
    await page.fill('#password', PASSWORD)
    await press('#submit', '#extra-profile')
    await visit('fields of the profile')
    await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
    await press('#submit', '#problem')
    await visit('fields of the profile, wrong')
  } finally {
    await setLook(server, {})
    for (const { name } of FIELDS) await server.api('DELETE', `/custom-profile-fields/${name}`)
    for (const { id } of (await server.api('GET', '/connectors')).body) await server.api('DELETE', `/connectors/${id}`)
    await page.context().clearCookies()
    await mail.close()
  }
}
