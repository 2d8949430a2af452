/**
 * `npm run scim:check`: holds the SCIM endpoints against scim2-tester, a published checker of SCIM servers, with a directory of the
 * tenant and with one of an organization. Needs Python 3.10 or later, and pip, which installs the checker once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../packages/harness/src/cluster.ts'
import { startTestServer, type TestServer } from '../packages/harness/src/server.ts'

const CHECKER = ['scim2-cli==0.6.0', 'scim2-tester==0.5.2', 'scim2-client[httpx2]==0.13.2']
const environment = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/.cache/scim-check')

/** Runs a program without keeping the server from answering it; returns its exit code. */
const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> => {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** The program of the checker, installed on first use. */
const installedChecker = async (): Promise<string> => {
  const program = join(environment, 'bin/scim2')
  if (existsSync(program)) return program
  if ((await run('python3', ['-m', 'venv', environment])) !== 0)
    throw new Error('python3 cannot make a virtual environment')
  if ((await run(join(environment, 'bin/pip'), ['install', '--quiet', ...CHECKER])) !== 0)
    throw new Error('pip could not install the checker')
  return program
}

/** Runs the checker on a new directory; returns its exit code. */
const check = async (program: string, { client }: TestServer, organizationId?: string): Promise<number> => {
  const directory = await client.createScimDirectory({ body: { name: 'Checked', organizationId, deletesUsers: true } })
  const { value } = await client.createScimToken({ params: { id: directory.id }, body: { name: 'checker' } })
  console.log(`\nA directory of ${organizationId === undefined ? 'the tenant' : 'an organization'}:`)
  return run(program, ['--url', directory.baseUrl, 'test'], { SCIM_CLI_HEADERS: `Authorization: Bearer ${value}` })
}

const program = await installedChecker()
const cluster = await startCluster()
try {
  const server = await startTestServer(cluster.address)
  try {
    const { id } = await server.client.createOrganization({ body: { name: 'Acme' } })
    const codes = [await check(program, server), await check(program, server, id)]
    process.exitCode = Math.max(...codes)
  } finally {
    await server.close()
  }
} finally {
  await cluster.stop()
}
