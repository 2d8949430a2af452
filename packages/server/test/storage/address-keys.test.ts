/** Migration 10: the keys of addresses with a domain in ASCII become those that the program computes. */
import { domainToASCII } from 'node:url'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { identifierKey } from '@countersign/server/domain/credentials/identifiers.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { migrate, readMigrations } from '../../src/storage/migrate.ts'

const BEFORE = 9

/** Words of many scripts, as domains: long ones, with hyphens, with letters beyond the first plane. */
const words = fc
  .sample(
    fc
      .array(fc.constantFrom(...'abcz09-äßéσжяא字한क日𠀀𐐨語ü'), { minLength: 1, maxLength: 20 })
      .map((letters) => letters.join('')),
    { numRuns: 400, seed: 10 },
  )
  .filter((word) => domainToASCII(`${word}.example`) !== '')
const ASCII = words.map((word) => `ann@${domainToASCII(`${word}.example`)}`)
const WRITTEN = [
  ...new Set([
    ...ASCII.filter((address) => identifierKey({ type: 'email', value: address }) !== undefined),
    'Bob@xn--r8jz45g.xn--zckzah',
    'Bob@Mail.XN--BCHER-KVA.example',
    'bob@bücher.example',
    'xn--bcher-kva@example.com',
    'bob@example.com',
  ]),
]

test('keys equal those of the program, and two accounts of one mailbox both stay', async () => {
  expect(WRITTEN.length).toBeGreaterThan(100)
  const { url, drop } = await createDatabase(inject('cluster'), { empty: true })
  try {
    await withClient(url, async (client) => {
      await client.query(
        'CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)',
      )
      for (const { version, name, sql, checksum } of (await readMigrations()).slice(0, BEFORE)) {
        await client.query(sql)
        await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, now())', [version, name, checksum])
      }
      await client.query(
        `INSERT INTO tenants (id, name, base_url, created_at) VALUES ('t', 'T', 'http://localhost', now())`,
      )
      const insert = async (id: string, address: string) =>
        client.query(
          `INSERT INTO users (tenant_id, id, primary_email, email_key, created_at, updated_at)
           VALUES ('t', $1, $2, $3, now(), now())`,
          [id, address, address.toLowerCase()],
        )
      for (const [index, address] of WRITTEN.entries()) await insert(`u${index}`, address)
      await insert('twin', 'bob@xn--bcher-kva.example')
      await client.query(`INSERT INTO organizations (tenant_id, id, name, created_at) VALUES ('t', 'o', 'O', now())`)
      await client.query(
        `INSERT INTO organization_invitations
           (tenant_id, id, organization_id, invitee, invitee_key, created_at, updated_at, expires_at)
         VALUES ('t', 'i', 'o', $1, $1, now(), now(), now())`,
        ['bob@xn--bcher-kva.example'],
      )
    })
    await migrate({ url }, systemClock)
    await withClient(url, async (client) => {
      const { rows } = await client.query('SELECT id, primary_email, email_key FROM users')
      const keys = new Map(
        rows.map(({ id, primary_email, email_key }) => [id === 'twin' ? id : primary_email, email_key]),
      )
      expect(keys.get('twin')).toBe('bob@xn--bcher-kva.example')
      for (const value of WRITTEN) expect(keys.get(value)).toBe(identifierKey({ type: 'email', value }))
      const invitations = await client.query('SELECT invitee, invitee_key FROM organization_invitations')
      expect(invitations.rows).toEqual([{ invitee: 'bob@xn--bcher-kva.example', invitee_key: 'bob@bücher.example' }])
      const functions = await client.query(
        `SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
           WHERE f.oid = p.oid OR f.prosrc LIKE '%' || p.proname || '(%')`,
      )
      expect(functions.rows).toEqual([])
    })
  } finally {
    await drop()
  }
})
