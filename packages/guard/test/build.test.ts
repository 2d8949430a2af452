// The published package, as an API would install it: compiled, with declarations, and with jose as its only dependency.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const workspace = join(root, '..', '..', 'node_modules')
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(join(workspace, '.bin', command), args, { cwd, encoding: 'utf8' })

test('the compiled package can be installed and used, and its types with it', () => {
  const out = join(root, 'dist')
  run('node', ['../../scripts/build-package.ts'], root)
  const manifest = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8'))
  expect(manifest.private).toBeUndefined()
  expect(Object.keys(manifest.dependencies)).toEqual(['jose'])

  // Outside the workspace, where only declared dependencies can be found.
  const project = mkdtempSync(join(tmpdir(), 'guard-install-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@countersign'), { recursive: true })
  cpSync(out, join(modules, '@countersign', 'guard'), { recursive: true })
  symlinkSync(join(workspace, 'jose'), join(modules, 'jose'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')

  const subpaths = Object.keys(manifest.exports).map((subpath) => join('@countersign/guard', subpath))
  expect(subpaths).toHaveLength(5)
  const program = `
    for (const name of ${JSON.stringify(subpaths)}) await import(name)
    const { accessTokenVerifier } = await import('@countersign/guard')
    const verify = accessTokenVerifier({ issuer: 'https://id.example.com', audience: 'x', jwks: { keys: [] } })
    console.log(await verify('a.b.c').catch((error) => error.code))`
  writeFileSync(join(project, 'main.js'), program)
  expect(run('node', ['main.js'], project)).toBe('token_malformed\n')

  for (const dependency of ['@types', 'fastify', 'hono']) {
    symlinkSync(join(workspace, dependency), join(modules, dependency))
  }
  const typed = `
    import { type VerifiedAccessToken, verifyAccessToken } from '@countersign/guard'
    import { expressGuard } from '@countersign/guard/express'
    import { fastifyGuard } from '@countersign/guard/fastify'
    import { honoGuard } from '@countersign/guard/hono'
    const token: VerifiedAccessToken = await verifyAccessToken('x', { issuer: 'x', audience: 'x' })
    export const subject: string = token.subject
    // @ts-expect-error: an audience is required
    export const guards = [expressGuard({ issuer: 'x' }), fastifyGuard, honoGuard]`
  writeFileSync(join(project, 'main.ts'), typed)
  const flags = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node']
  expect(run('tsc', [...flags, '--skipLibCheck', 'main.ts'], project)).toBe('')
})
