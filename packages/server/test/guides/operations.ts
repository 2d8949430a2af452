/** The commands of the guide for operators about mail, imported hashes, users as a file and a tenant as a file. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Guide } from '@countersign/harness/guide.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { startMailServer } from '../management/mail.ts'
import { type Walk, withGuide } from './walk.ts'

/** What the block of commands with this text printed. */
const typed = (guide: Guide, text: string): Promise<string> => {
  const block = guide.blocks.find((each) => each.includes(text))
  expect(block).toBeDefined()
  return guide.type(block ?? '')
}

/** The rows of other systems are imported, their passwords verify, and the command prints such a row. */
const importHashes = async (guide: Guide, { api }: TestServer) => {
  const rows = [...guide.text.matchAll(/^\{"username".+"Legacy".+$/gm)].map(([row]) => JSON.parse(row))
  expect(rows.map(({ username }) => username)).toEqual(['kim', 'lee'])
  expect((await typed(guide, 'secretData')).trim()).toBe(rows[0].passwordDigest)
  for (const [index, password] of ['a long enough phrase', 'user1password'].entries()) {
    const { status, body } = await api('POST', '/users', rows[index])
    expect(status).toBe(200)
    const prove = (tried: string) => api('POST', `/users/${body.id}/password/verify`, { password: tried })
    expect([(await prove('another')).status, (await prove(password)).status]).toEqual([422, 204])
    await api('DELETE', `/users/${body.id}`)
  }
}

export const operations: Walk = async (place) => {
  const { server, directory } = place
  const mailServer = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'its password' ? done(null, { user: username }) : done(new Error('no')),
  })
  const offered = async () => (await server.api('GET', '/.well-known/sign-in-exp')).body.forgotPassword
  const follow = async (guide: Guide) => {
    // mail is set up, and password reset is offered from then on
    expect(await offered()).toMatchObject({ email: false })
    const connector = (await typed(guide, 'SMTP=')).trim()
    expect(connector).toMatch(/^[0-9a-z]{12,21}$/)
    await mailServer.got(1)
    expect(mailServer.mails[0]).toMatchObject({ recipients: ['you@example.com'], from: { name: 'Example' } })
    expect(await offered()).toMatchObject({ email: true })
    await server.api('DELETE', `/connectors/${connector}`)

    await importHashes(guide, server)

    const { length } = (await server.api('GET', '/users?page_size=100')).body
    await typed(guide, 'users export')
    for (const file of ['users-today.jsonl', 'users-with-hashes.jsonl'])
      expect((await readFile(join(directory, 'data', file), 'utf8')).split('\n')).toHaveLength(length + 1)

    await typed(guide, 'cat > data/tenant.yaml')
    expect(await readFile(join(directory, 'data/tenant-now.yaml'), 'utf8')).toContain('name: Nightly run')
  }
  try {
    await withGuide(place, 'operations', follow, [
      ['"host":"smtp.example.com","port":587', `"host":"127.0.0.1","port":${mailServer.port}`],
      // the same program without npx, which takes as long again
      ['npx countersign', 'node_modules/.bin/countersign'],
      // there is no tenant, so the command need not ask for its address
      ['url: https://orders.example/hooks', 'url: http://127.0.0.1:1/hooks'],
    ])
  } finally {
    await mailServer.close()
  }
}
