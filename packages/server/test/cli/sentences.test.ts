/** What the command line says about a mistake: it names the value, before it asks anything. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CommandLine, commandLine } from './program.ts'

let cli: CommandLine
beforeAll(async () => {
  cli = await commandLine(inject('cluster'))
  await mkdir(join(cli.folder, 'folder'))
  await writeFile(join(cli.folder, 'latin.yaml'), Buffer.from('roles: [{ name: K\xf6nig }]', 'latin1'))
  await writeFile(join(cli.folder, 'users.jsonl'), '{"username":""}\n')
})
afterAll(() => cli.close())

test.each([
  [
    'tenants create acme --base-url https://auth.example',
    'The base URL https://auth.example already belongs to the tenant default.',
  ],
  ['tenants create default --base-url https://acme.example', 'There is already a tenant with the id default.'],
  ['tenants delete nope', /nope/],
  ['tenants delete default', /the default tenant cannot be deleted/],
  ['apply -f folder', 'folder cannot be read: it is a directory.'],
  ['apply -f none.yaml', 'none.yaml cannot be read: there is no such file or directory.'],
  ['apply -f latin.yaml', 'latin.yaml is not UTF-8 text.'],
  ['users export --output folder', 'folder cannot be written: it already exists, and nothing is overwritten.'],
  ['users export --output none/users.jsonl', 'none/users.jsonl cannot be written: there is no such file or directory.'],
  ['users import users.jsonl --report folder', 'folder cannot be written: it is a directory.'],
])('%s', async (command, sentence) => {
  const { status, out, err } = await cli.run(command.split(' '))
  expect({ status, out, lines: err.split('\n').length }).toEqual({ status: 1, out: '', lines: 2 })
  if (typeof sentence === 'string') expect(err).toBe(`${sentence}\n`)
  else expect(err).toMatch(sentence)
  expect(err).not.toContain('--yes')
})

test('the confirmation before deleting a tenant names its address', async () => {
  const created = await cli.run(['tenants', 'create', 'acme', '--base-url', 'https://acme.example'])
  expect(created.status).toBe(0)
  const { status, err } = await cli.run(['tenants', 'delete', 'acme'])
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(/^This deletes tenant acme \(https:\/\/acme\.example\).*--yes/),
  ])
  expect(await cli.run(['tenants', 'delete', 'acme', '--yes'])).toMatchObject({ status: 0, err: '' })
})

test('a separate process prints and exits as a command that runs within the tests does', async () => {
  const command = ['apply', '-f', 'none.yaml']
  const spawned = await cli.spawned(command)
  expect(spawned).toEqual(await cli.run(command))
  expect(spawned).toEqual({
    status: 1,
    out: '',
    err: 'none.yaml cannot be read: there is no such file or directory.\n',
  })
})
