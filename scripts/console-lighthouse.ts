/**
 * `npm run console:lighthouse`: Lighthouse on screens of the built console, signed in, with the CPU slowed down four times: on the network
 * of a desktop, and on that of a phone. Installs Lighthouse once, beside the dependencies of the project. Prints the report in the middle of
 * three, as Lighthouse advises, because one run differs from the next by ten points; fails where a score on a desktop's network is below
 * 95, or a screen is not interactive in time. REPORTS is a folder that keeps the whole reports.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole, createAdministrator, signIn } from '../packages/console/test/arrange.ts'
import { launchProfile } from '../packages/harness/src/browser.ts'
import { startCluster } from '../packages/harness/src/cluster.ts'
import { freePort } from '../packages/harness/src/free-port.ts'
import { startTestServer, type TestServer } from '../packages/harness/src/server.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const folder = fileURLToPath(new URL('../node_modules/.cache/lighthouse/', import.meta.url))
const LEAST = 95
const INTERACTIVE_MS = 1500
const USERS = 30
/** Of each screen. */
const RUNS = 3
const NETWORKS = {
  desktop: ['--preset=desktop', '--throttling.cpuSlowdownMultiplier=4'],
  phone: ['--form-factor=mobile'],
} as const
/** A console is not for search engines, and says so. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

interface Report {
  readonly runtimeError?: { readonly message: string }
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

const run = async (command: string, args: readonly string[]): Promise<void> => {
  const [code] = (await once(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close')) as [number]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

const installed = async (): Promise<string> => {
  const program = join(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(program))
    await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', LIGHTHOUSE])
  return program
}

/** Something to see on every screen. Gives name → path below /console. */
const fill = async ({ client }: TestServer): Promise<Readonly<Record<string, string>>> => {
  const { id: userId } = await client.createUser({ body: { username: 'ada', name: 'Ada' } })
  for (let count = 1; count <= USERS; count += 1) await client.createUser({ body: { name: `User ${count}` } })
  const { id } = await client.createApplication({ body: { name: 'Customer portal', type: 'SPA' } })
  return {
    'first screen': '',
    users: '/users',
    'one user': `/users/${userId}`,
    log: '/log',
    application: `/applications/${id}`,
  }
}

/** The report with the middle score for performance. */
const middleOf = (reports: readonly Report[]): Report => {
  const sorted = reports.toSorted(
    (a, b) => (a.categories.performance?.score ?? 0) - (b.categories.performance?.score ?? 0),
  )
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('there is no report')
  return middle
}

/** Says what one report says. Gives whether that is good enough. */
const tell = (name: string, network: string, { categories, audits }: Report): boolean => {
  const scores = CATEGORIES.map((each) => Math.round((categories[each]?.score ?? 0) * 100))
  const after = (audit: string) => Math.round(audits[audit]?.numericValue ?? Number.NaN)
  const interactive = after('interactive')
  console.log(
    [
      `${network}, ${name}: ${CATEGORIES.map((each, at) => `${each} ${scores[at]}`).join(', ')}`,
      `interactive ${interactive} ms`,
      `first paint ${after('first-contentful-paint')} ms, largest ${after('largest-contentful-paint')} ms`,
      `blocked ${after('total-blocking-time')} ms`,
    ].join('; '),
  )
  return network !== 'desktop' || (interactive < INTERACTIVE_MS && scores.every((score) => score >= LEAST))
}

const program = await installed()
buildConsole()
const cluster = await startCluster()
const server = await startTestServer(cluster.address)
const profile = await mkdtemp(join(tmpdir(), 'console-lighthouse-'))
const reports = process.env.REPORTS ?? profile
await mkdir(reports, { recursive: true })
const port = await freePort()
const context = await launchProfile(profile, port)
try {
  await createAdministrator(server, 'grace', 'owner')
  const paths = await fill(server)
  const page = await context.newPage()
  await page.goto(`${server.baseUrl}/console`)
  await signIn(page, 'grace')
  await page.goto('about:blank')
  for (const [network, options] of Object.entries(NETWORKS))
    for (const [name, path] of Object.entries(paths)) {
      const ofScreen: Report[] = []
      for (let count = 1; count <= RUNS; count += 1) {
        const output = join(reports, `${network}-${name.replace(' ', '-')}-${count}.json`)
        await run(process.execPath, [
          ...[program, `${server.baseUrl}/console${path}`, `--port=${port}`, '--quiet', ...options],
          ...[`--only-categories=${CATEGORIES.join(',')}`, '--output=json', `--output-path=${output}`],
        ])
        const report = JSON.parse(await readFile(output, 'utf8')) as Report
        if (report.runtimeError) throw new Error(`${name}: ${report.runtimeError.message}`)
        ofScreen.push(report)
      }
      const report = middleOf(ofScreen)
      if (!tell(name, network, report)) process.exitCode = 1
    }
} finally {
  await context.close()
  await server.close()
  await cluster.stop()
  await rm(profile, { recursive: true, force: true })
}
