/**
 * Secrets of factors are nowhere in plain text: not in the database, events, logs, audit entries or exports (DECISIONS
 * O2).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { runProgram } from '@countersign/harness/program.ts'
import { startTestServer } from '@countersign/harness/server.ts'
import { expect, inject, test } from 'vitest'
import { runHere } from '../cli/in-process.ts'
import { eventsSince, openPage } from '../experience/arrange.ts'
import { codeIn, connectMailServer } from '../management/mail.ts'
import { createApp, createUser, PASSWORD } from '../sign-in/arrange.ts'
import { addBackupCodes, addTotp, codeOf, told, useFactors } from './arrange.ts'

test('R-1 no secret of a factor, and no code or token that verifies one, can be read anywhere', async () => {
  const server = await startTestServer(inject('cluster'))
  const mail = await connectMailServer(server)
  const folder = await mkdtemp(join(tmpdir(), 'countersign-secrets-'))
  const port = await freePort()
  const auditFile = join(folder, 'audit.jsonl')
  // a node at the most verbose log level, instead of the one in this process
  const node = runProgram(['start'], {
    ...server.environment,
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: 'trace',
    AUDIT_LOG_FILE: auditFile,
  })
  try {
    await node.printed('is ready at')
    const url = `http://127.0.0.1:${port}`
    const { configuration } = await createApp(server)
    await useFactors(server, ['Totp', 'BackupCode'], 'NoPrompt')
    await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: true, durationDays: 7 } })
    const { id, username } = await createUser(server)
    const email = `${username}@example.com`
    await server.api('PATCH', `/users/${id}`, { primaryEmail: email })
    const pageHere = async () => (await openPage(server, configuration)).through(url)

    // the node keeps the time of the machine, however long this has taken
    const catchUp = () => server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000)
    const first = await pageHere()
    await first.start('SignIn')
    expect((await first.call('POST', '/identification', (await first.verify(username)).body)).status).toBe(204)
    catchUp()
    const secret = await addTotp(first)
    const codes = await addBackupCodes(first)
    expect((await first.call('POST', '/submit')).status).toBe(200)

    // right and wrong uses, and a trusted device
    const second = await pageHere()
    expect(told(await second.signIn(username))).toEqual([403, 'session.mfa.require_mfa_verification'])
    catchUp()
    const wrong = codeOf(server, secret, 7)
    expect((await second.call('POST', '/verification/totp/verify', { code: wrong })).status).toBe(400)
    // a step is valid once, and the next one is already accepted
    catchUp()
    const right = codeOf(server, secret, 1)
    expect((await second.call('POST', '/verification/totp/verify', { code: right })).status).toBe(200)
    expect((await second.call('POST', '/profile/mfa/trusted-device')).status).toBe(204)
    expect((await second.call('POST', '/submit')).status).toBe(200)
    const third = await pageHere()
    await third.signIn(username)
    expect((await third.call('POST', '/verification/backup-code/verify', { code: codes[0] })).status).toBe(200)
    expect((await third.call('POST', '/verification/backup-code/verify', { code: 'ffffffffff' })).status).toBe(400)

    // an emailed code, and the token of a link
    const fourth = await pageHere()
    await fourth.start('ForgotPassword')
    const sent = await fourth.sendCode(email, 'ForgotPassword')
    await mail.got(1)
    const mailed = codeIn(mail)
    expect((await fourth.bringCode(email, sent.body.verificationId, mailed)).status).toBe(200)
    const { token } = (await server.api('POST', '/one-time-tokens', { email })).body
    const fifth = await pageHere()
    await fifth.start('SignIn')
    const proof = { identifier: { type: 'email', value: email }, token }
    expect((await fifth.call('POST', '/verification/one-time-token/verify', proof)).status).toBe(200)

    const cookies = ['countersign-device', 'countersign-session'].map((name) => second.browser.cookie(name) ?? '')
    const secrets = [PASSWORD, secret, ...codes, token, ...cookies]
    expect(secrets.every((each) => each.length >= 10)).toBe(true)
    /** Six digits also occur by accident: they count only as a whole value. */
    const digits = [wrong, right, mailed].map((code) => `"${code}"`)

    await server.store.audit.flush()
    const { pool } = server.store.database
    const { rows: tables } = await pool.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
    const places: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await pool.query(`SELECT t::text AS text FROM ${name} t`)
      places[`table ${name}`] = rows.map(({ text }) => text.replaceAll('""', '"')).join('\n')
    }
    places.events = JSON.stringify((await eventsSince(server)).events)
    places['audit log'] = JSON.stringify((await server.api('GET', '/logs?page_size=100')).body)
    const environment = { env: { ...server.environment, PATH: process.env.PATH }, folder }
    places.export = (await runHere(['users', 'export'], environment)).out
    places['audit export'] = (await runHere(['audit', 'export'], environment)).out
    node.process.kill('SIGTERM')
    await node.ended
    places.log = node.output()
    places['audit file'] = await readFile(auditFile, 'utf8')
    const empty = Object.keys(places).filter((place) => places[place] === '' && !place.startsWith('table '))
    expect(empty).toEqual([])
    const found = Object.entries(places).flatMap(([place, text]) =>
      [
        ...secrets.flatMap((each) => [each, Buffer.from(each).toString('hex'), Buffer.from(each).toString('base64')]),
        ...digits,
      ]
        .filter((each) => text.includes(each))
        .map((each) => `${each} in ${place}`),
    )
    expect(found).toEqual([])
  } finally {
    node.process.kill('SIGKILL')
    await node.ended
    await mail.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
}, 300_000)
