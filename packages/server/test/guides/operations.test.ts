/** What the guide for operators prints about mail and about imported hashes, done as it is printed. */
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type MailServer, startMailServer } from '../management/mail.ts'

let server: TestServer
let mailServer: MailServer
let guide: Guide
beforeAll(async () => {
  mailServer = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'its password' ? done(null, { user: username }) : done(new Error('no')),
  })
  server = await startTestServer(inject('cluster'))
  guide = await openGuide('operations', server, [
    ['"host":"smtp.example.com","port":587', `"host":"127.0.0.1","port":${mailServer.port}`],
  ])
})
afterAll(async () => {
  await guide.close()
  await server.close()
  await mailServer.close()
})

/** What the block of commands with this text printed. */
const typed = (text: string): Promise<string> => {
  const block = guide.blocks.find((each) => each.includes(text))
  expect(block).toBeDefined()
  return guide.type(block ?? '')
}

test('mail is set up, and forgotten passwords are offered from then on', async () => {
  const offered = async () => (await server.api('GET', '/.well-known/sign-in-exp')).body.forgotPassword
  expect(await offered()).toMatchObject({ email: false })
  expect(await typed('SMTP=')).toMatch(/^[0-9a-z]{12,21}\n$/)
  await mailServer.got(1)
  expect(mailServer.mails[0]).toMatchObject({ recipients: ['you@example.com'], from: { name: 'Example' } })
  expect(await offered()).toMatchObject({ email: true })
})

test('the rows of other systems are taken, their passwords are right, and the command makes such a row', async () => {
  const rows = [...guide.text.matchAll(/^\{"username".+"Legacy".+$/gm)].map(([row]) => JSON.parse(row))
  expect(rows.map(({ username }) => username)).toEqual(['kim', 'lee'])
  expect((await typed('secretData')).trim()).toBe(rows[0].passwordDigest)
  for (const [index, password] of ['a long enough phrase', 'user1password'].entries()) {
    const created = await server.api('POST', '/users', rows[index])
    expect(created.status).toBe(200)
    const prove = (tried: string) =>
      server.api('POST', `/users/${created.body.id}/password/verify`, { password: tried })
    expect([(await prove('another')).status, (await prove(password)).status]).toEqual([422, 204])
  }
})
