/** What the tests of second factors share: an authenticator app, and users who have one. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { runHere } from '../cli/in-process.ts'
import { type OwnPage, openPage, type Reply } from '../experience/arrange.ts'
import { createUser } from '../sign-in/arrange.ts'

/** The code that an app shows for a secret. @param ahead steps of 30 seconds */
export const codeOf = ({ clock }: TestServer, secret: string, ahead = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() + ahead * 30_000 })

/** Sets the factors of the tenant, and when they are asked for. */
export const useFactors = async ({ api }: TestServer, factors: readonly string[], policy = 'NoPrompt', more = {}) => {
  const { status, body } = await api('PATCH', '/sign-in-exp', { mfa: { factors, policy, ...more } })
  expect([status, body]).toMatchObject([200, { mfa: { factors, policy } }])
}

export const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

/** Adds an app to the account of the interaction; returns its secret. */
export const addTotp = async (page: OwnPage): Promise<string> => {
  const { status, body } = await page.call('POST', '/verification/totp/secret')
  expect(status).toBe(200)
  const { verificationId, secret } = body
  const code = codeOf(page.server, secret)
  expect((await page.call('POST', '/verification/totp/verify', { code, verificationId })).status).toBe(200)
  expect((await page.call('POST', '/profile/mfa', { type: 'Totp', verificationId })).status).toBe(204)
  return secret
}

/** Adds backup codes to the account of the interaction. */
export const addBackupCodes = async (page: OwnPage): Promise<string[]> => {
  const { body } = await page.call('POST', '/verification/backup-code/generate')
  const { verificationId, codes } = body
  expect((await page.call('POST', '/profile/mfa', { type: 'BackupCode', verificationId })).status).toBe(204)
  return codes
}

/** A user with an app who has signed in once. The clock is past the step of that sign-in. */
export const createTotpUser = async (server: TestServer, configuration: client.Configuration) => {
  const user = await createUser(server)
  const page = await openPage(server, configuration)
  await page.signIn(user.username)
  const again = await openPage(server, configuration)
  await identifyBy(again, user.username)
  const secret = await addTotp(again)
  const codes = (await server.client.getSignInExperience({})).mfa.factors.includes('BackupCode')
    ? await addBackupCodes(again)
    : []
  expect((await again.call('POST', '/submit')).status).toBe(200)
  server.clock.advance(60)
  return { ...user, secret, codes }
}

/** Imports users into the tenant of the server; returns which of them were refused, and why. */
export const importUsers = async ({ environment }: TestServer, users: readonly object[]): Promise<unknown[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-import-'))
  try {
    const { status } = await runHere(['users', 'import', '-'], {
      env: { ...environment, PATH: process.env.PATH },
      folder,
      input: users.map((user) => `${JSON.stringify(user)}\n`).join(''),
    })
    if (status === 0) return []
    const lines = (await readFile(join(folder, 'refused.jsonl'), 'utf8')).trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A verified password, not yet submitted. */
export const identifyBy = async (page: OwnPage, username: string): Promise<void> => {
  await page.start('SignIn')
  const { body } = await page.verify(username)
  expect((await page.call('POST', '/identification', body)).status).toBe(204)
}

export const verifyCode = (page: OwnPage, code: string): Promise<Reply> =>
  page.call('POST', '/verification/totp/verify', { code })
