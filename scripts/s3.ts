/**
 * `npm run s3`: the tests of buckets against a service that is not ours. Installs versitygw, which speaks S3 over a directory, with
 * Go's own client, and runs it for as long as the tests take.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@countersign/harness/free-port.ts'

const VERSION = 'v1.8.0'
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.cache/versitygw', VERSION)
const program = join(bin, 'versitygw')
const key = { AWS_ACCESS_KEY_ID: 'countersign', AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-test' }

const install = (): void => {
  if (existsSync(program)) return
  console.log(`Installing versitygw ${VERSION} (some minutes)…`)
  const { status, error } = spawnSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    env: { ...process.env, GOBIN: bin },
    stdio: 'inherit',
  })
  if (error || status !== 0) throw new Error('versitygw could not be installed; it needs Go', { cause: error })
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** The service over an empty directory in which the bucket is, once it answers. */
const start = async (directory: string): Promise<{ child: ChildProcess; endpoint: string }> => {
  await mkdir(join(directory, 'images'))
  const port = await freePort()
  const child = spawn(program, ['--port', `127.0.0.1:${port}`, 'posix', directory], {
    env: { ...process.env, ROOT_ACCESS_KEY: key.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: key.AWS_SECRET_ACCESS_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`)
    await delay(100)
  }
  return { child, endpoint: `http://127.0.0.1:${port}` }
}

install()
const directory = await mkdtemp(join(tmpdir(), 'countersign-s3-'))
const { child, endpoint } = await start(directory)
try {
  const { status } = spawnSync('vitest', ['run', '--reporter=verbose', 'packages/server/test/uploads/bucket.test.ts'], {
    cwd: root,
    env: { ...process.env, ...key, S3_ENDPOINT: endpoint },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  child.kill()
  await rm(directory, { recursive: true, force: true })
}
