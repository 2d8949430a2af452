/** Programs of the operating system that tests use. Where possible, `npm test` installs missing ones. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Timeout of a test's set-up for a program that may first have to be installed. */
export const INSTALL_TIMEOUT_MS = 600_000

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const find = (names: readonly string[]): string | undefined =>
  names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
    )
    .find(isExecutable)

/** Several workers may need it at the same time: one installs, the others wait. */
const install = async (debianPackage: string): Promise<void> => {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${debianPackage}`
  await run('flock', ['/tmp/countersign-apt.lock', 'sh', '-c', command], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/**
 * The path of a program, installed with apt-get if it is missing and this process may do so.
 * Otherwise throws one sentence that says what to install.
 * @param names of the program, or paths to it, the preferred one first
 */
export const systemProgram = async (names: readonly string[], debianPackage: string): Promise<string> => {
  const present = find(names)
  if (present) return present
  const mayInstall = process.getuid?.() === 0 && find(['apt-get']) && find(['flock'])
  const failure = mayInstall ? await install(debianPackage).catch((error: unknown) => error) : undefined
  const installed = find(names)
  if (installed) return installed
  throw new Error(
    `These tests need ${names[0]}, which is not installed: run \`apt-get install ${debianPackage}\` as root, or put ${names[0]} on the PATH.`,
    { cause: failure },
  )
}
