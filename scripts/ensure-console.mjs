// Builds the console before `npm start` where it has not been built. Plain JavaScript: it runs on any version of Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const isBuilt = existsSync(join(root, 'packages', 'console', 'dist', 'index.html'))

// an installation without development packages comes with the console, or does without
if (!isBuilt && process.env.CONSOLE !== 'off' && existsSync(join(bin, 'vite'))) {
  console.log('Building the console, once; this takes some seconds…')
  const { status } = spawnSync(join(bin, 'vite'), ['build', '--logLevel', 'warn'], {
    cwd: join(root, 'packages', 'console'),
    stdio: 'inherit',
    // the Node that the server runs on, which reads TypeScript
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  })
  // the server does without it
  if (status !== 0) console.error('The console could not be built; see above. The server starts without it.')
}
