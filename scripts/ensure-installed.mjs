// Installs what is missing before a script of package.json runs. Plain JavaScript: it runs on any version of Node.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasBundles } from '../packages/server/bin/libraries.js'

/** npm runs this before `npm start` too, which needs no compilers and no test runner. */
const isStart = process.env.npm_lifecycle_event === 'prestart'
const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The installation must match the lock file: npm keeps its own copy of the lock next to the packages. */
const isInstalled = () => {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed) || !existsSync(join(root, 'node_modules', 'node', 'bin', 'node'))) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional, link, dev }]) =>
      path === '' ||
      link ||
      optional ||
      !path.startsWith('node_modules/') ||
      // an installation without development packages starts the server
      (dev && isStart && !existsSync(join(root, path))) ||
      // npm's copy of the lock can be older or newer than the packages next to it
      (present[path]?.version === version && existsSync(join(root, path))),
  )
}

const own = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${own}${delimiter}${process.env.PATH}` }

// not `npm ci`: it refuses a lock file that lacks optional packages of other platforms, and no registry mirror has them all;
// --no-save installs what the lock says and leaves the lock as it is
const isInstalling = !isInstalled()
if (isInstalling) {
  console.log('Installing dependencies…')
  const { status, error } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error || status !== 0) {
    console.error('npm install failed; see above.')
    process.exit(status || 1)
  }
}

// an installation without development packages loads the files of the libraries
const isBundling = !hasBundles() && existsSync(join(root, 'node_modules', 'rolldown'))
if (isBundling) {
  spawnSync('node', [join(root, 'scripts', 'bundle-libraries.mjs')], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

// fills the compile cache, so that the first start already runs without Node's TypeScript stripper and the memory it takes
if (isInstalling || isBundling) {
  spawnSync(join(root, 'packages', 'server', 'bin', 'countersign.js'), ['config'], { stdio: 'ignore', env })
}
