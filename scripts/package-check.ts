// `npm run package:check`: the test of the published package with the oldest Node that its manifest promises. Installs that Node
// beside the dependencies of the project.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** The lower bound of `engines` in the package (scripts/build-server.ts). */
const OLDEST = '22.13.0'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'node_modules/.cache/oldest-node')
mkdirSync(folder, { recursive: true })
execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${OLDEST}`], {
  stdio: 'inherit',
})
execFileSync(join(root, 'node_modules/.bin/vitest'), ['run', 'packages/server/test/package'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PACKAGE_NODE: join(folder, 'node_modules/node/bin/node') },
})
