/**
 * `countersign users import` of a hundred thousand users with the hashes of another system, next to a running server,
 * according to its own summary: lines per second from the first to the last commit.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, postgresCpu, type Section } from '../figures.ts'
import { type Installation, PROGRAM } from '../installation.ts'
import { meterPostgres } from '../postgres-cost.ts'

const USERS = 100_000
const USERS_WITH_PASSWORDS = 500
const LEAST = 5000
const COMMAND = fileURLToPath(new URL(`../../${PROGRAM}`, import.meta.url))

/** Of "correct horse battery staple", at a cost of 10. */
const BCRYPT = '$2b$10$yszE9jNOhOYsnYMtYuiOqOmkddM2gdEirMbbTEke3u3c/wPdqkR1q'

const hashed = (): string => {
  const user = (index: number) => ({
    username: `import_${index}`,
    primaryEmail: `import.${index}@example.com`,
    emailVerified: true,
    primaryPhone: `4917${String(index).padStart(8, '0')}`,
    name: `Person ${index}`,
    profile: { givenName: 'Person', familyName: String(index) },
    customData: { plan: 'free', index },
    passwordDigest: BCRYPT,
    passwordAlgorithm: 'Bcrypt',
  })
  return Array.from({ length: USERS }, (_, index) => `${JSON.stringify(user(index))}\n`).join('')
}

const inClear = (): string =>
  Array.from(
    { length: USERS_WITH_PASSWORDS },
    (_, index) => `${JSON.stringify({ username: `clear_${index}`, password: `correct horse ${index}` })}\n`,
  ).join('')

interface Imported {
  readonly perSecond: number
  readonly summary: string
  readonly postgres: string | undefined
}

const run = async (dataDir: string, name: string, lines: string, count: number): Promise<Imported> => {
  const file = join(dataDir, name)
  await writeFile(file, lines)
  const spentByPostgres = meterPostgres(dataDir)
  const child = spawn(COMMAND, ['users', 'import', file], {
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const [code] = await once(child, 'close')
  const told = /^Imported ([\d,]+) users of .* in ([\d.]+ s), ([\d,]+) a second/.exec(out)
  if (code !== 0 || !told) throw new Error(`The import ended with ${code}: ${out}`)
  return {
    perSecond: Number(told[3]?.replaceAll(',', '')),
    summary: `${told[3]} a second (${told[1]} in ${told[2]})`,
    postgres: postgresCpu([spentByPostgres(count)], ' a user'),
  }
}

export const userImport = async ({ dataDir, startServer }: Installation): Promise<Section> => {
  const server = await startServer()
  try {
    const withHashes = await run(dataDir, 'hashed.jsonl', hashed(), USERS)
    const withPasswords = await run(dataDir, 'clear.jsonl', inClear(), USERS_WITH_PASSWORDS)
    const hashes: Figure = {
      name: 'users with hashes, emails, phone numbers and events',
      value: withHashes.summary,
      postgres: withHashes.postgres,
      target: `at least ${LEAST.toLocaleString('en')} a second`,
      isReached: withHashes.perSecond >= LEAST,
    }
    return {
      title: 'countersign users import',
      figures: [
        hashes,
        {
          name: 'users with passwords in clear, which are hashed',
          value: withPasswords.summary,
          postgres: withPasswords.postgres,
        },
      ],
    }
  } finally {
    await server.stop()
  }
}
