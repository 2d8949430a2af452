/**
 * The published package, as a program would install it: compiled, with declarations, and with typebox as its only
 * dependency.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const workspace = join(root, '..', '..', 'node_modules')
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(join(workspace, '.bin', command), args, { cwd, encoding: 'utf8' })

test('the compiled client can be installed and used, and its types with it', () => {
  const out = join(root, 'dist')
  run('node', ['../../scripts/build-package.ts'], root)
  const manifest = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8'))
  expect(manifest.private).toBeUndefined()
  expect(Object.keys(manifest.dependencies)).toEqual(['typebox'])

  const project = mkdtempSync(join(tmpdir(), 'contract-install-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@countersign'), { recursive: true })
  cpSync(out, join(modules, '@countersign', 'contract'), { recursive: true })
  symlinkSync(join(workspace, 'typebox'), join(modules, 'typebox'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const program = `
    import { createClient } from '@countersign/contract'
    import { managementToken } from '@countersign/contract/client-token.ts'
    const client = createClient({ baseUrl: 'https://id.example', token: managementToken({}), fetch })
    console.log(Object.keys(client).length > 100, await client.getRole({ params: { id: '..' } }).catch(({ name }) => name))`
  writeFileSync(join(project, 'main.js'), program)
  expect(run('node', ['main.js'], project)).toBe('true TypeError\n')

  const typed = `
    import { createClient, type ManagementApiError } from '@countersign/contract'
    const client = createClient({ baseUrl: 'https://id.example', token: 'x' })
    const role = await client.createRole({ body: { name: 'x' } })
    export const name: string = role.name
    // @ts-expect-error: a role has a name
    export const wrong = client.createRole({ body: {} })
    export const isMissing = (error: ManagementApiError) => error.code === 'entity.not_exists_with_id'`
  writeFileSync(join(project, 'main.ts'), typed)
  const flags = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext']
  expect(run('tsc', [...flags, '--skipLibCheck', '--types', '', 'main.ts'], project)).toBe('')
})
