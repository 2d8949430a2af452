import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { endWorld, query, start, startOwner, temporaryDirectory } from './embedded-world.ts'

afterEach(endWorld)

const nobody = { uid: 65534, gid: 65534 }
const root = process.getuid?.() === 0
const canBeNobody = root && spawnSync(process.execPath, ['--version'], nobody).status === 0

test('a data directory that cannot be created, or is a file, is refused with a sentence that names it', async () => {
  const file = join(await temporaryDirectory(), 'file')
  await writeFile(file, '')
  await expect(start(join(file, 'data'))).rejects.toThrow(
    `The data directory ${file}/data cannot be used: a part of the path is not a directory.`,
  )
  await expect(start(file)).rejects.toThrow(`The data directory ${file} cannot be used: it is not a directory.`)
})

test('a cluster of another PostgreSQL version is refused and left unchanged', async () => {
  const dataDir = await temporaryDirectory()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  await expect(start(dataDir)).rejects.toThrow(
    `The database in ${dataDir}/postgres was made by PostgreSQL 15, but this Countersign comes with PostgreSQL 18:`,
  )
})

test('a directory with other files in place of the cluster is refused and left unchanged', async () => {
  const dataDir = await temporaryDirectory()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'thesis.txt'), '')
  await expect(start(dataDir)).rejects.toThrow(
    `${dataDir}/postgres has files in it but is not a PostgreSQL data directory`,
  )
  // The refusal released the lock.
  await rm(join(dataDir, 'postgres', 'thesis.txt'))
  await start(dataDir)
})

test('a path with spaces, quotes, commas and a symbolic link', async () => {
  const parent = await temporaryDirectory()
  await mkdir(join(parent, `it's "a, b"; é`))
  await symlink(join(parent, `it's "a, b"; é`), join(parent, 'link'))
  const { connection } = await start(join(parent, 'link'))
  expect(connection.host).toBe(join(parent, `it's "a, b"; é`, 'run'))
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect(start(join(parent, `it's "a, b"; é`))).rejects.toThrow('is already using the data directory')
})

test('for a path too long for a socket, the socket is in a private directory elsewhere; one of another user is not trusted', async () => {
  const parent = await temporaryDirectory()
  const dataDir = join(parent, 'long'.repeat(20), 'data')
  const postgres = await start(dataDir)
  const { host } = postgres.connection
  try {
    expect(host).not.toContain(parent)
    expect((await stat(host)).mode & 0o777).toBe(0o700)
    expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    await (await start(dataDir)).stop()

    await rm(host, { recursive: true })
    await symlink(parent, host)
    await expect(start(dataDir)).rejects.toThrow(
      `The directory ${host} for the database's socket cannot be used: it is not a directory.`,
    )
    if (root) {
      await rm(host)
      await mkdir(host)
      await chown(host, 4242, 4242)
      await expect(start(dataDir)).rejects.toThrow('it belongs to another user.')
    }
  } finally {
    await postgres.stop()
    await rm(host, { recursive: true, force: true })
  }
})

// where another account cannot reach Node, it cannot reach PostgreSQL's programs either: every path is blocked
test.runIf(canBeNobody)(
  'started as root, PostgreSQL runs as another account, with a capability only if its path is blocked',
  async () => {
    const parent = await temporaryDirectory(0o755)
    await mkdir(join(parent, 'barred'), { mode: 0o700 })
    for (const [dataDir, barred] of [
      [join(parent, 'data'), false],
      [join(parent, 'barred', 'data'), true],
    ] as const) {
      const logged: string[] = []
      const { connection } = await start(dataDir, logged)
      const [row] = await query<{ status: string }>(connection, `SELECT pg_read_file('/proc/self/status') AS status`)
      expect(row?.status).not.toMatch(/^Uid:\s+0/m)
      expect(row?.status).toMatch(/^Groups:\s*$/m)
      const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(row?.status ?? '')?.[1]}`)
      // dac_override is bit 1, dac_read_search bit 2
      expect([2n, 4n].includes(capabilities)).toBe(barred)
      expect(capabilities === 0n).toBe(!barred)
      expect(logged.some((line) => line.startsWith('PostgreSQL runs with the capability'))).toBe(barred)
    }
  },
)

test.runIf(root)('ownership of a cluster that a restore left to root is corrected', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  await (await start(dataDir)).stop()
  expect(spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]).status).toBe(0)
  const { connection } = await start(dataDir)
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test.runIf(canBeNobody)(
  'without root: starts in a directory of the same account, and reports why not in that of another',
  async () => {
    const parent = await temporaryDirectory(0o755)
    const own = join(parent, 'own')
    await mkdir(own)
    await chown(own, nobody.uid, nobody.gid)
    const owner = startOwner(join(own, 'data'), nobody)
    const { connection, error } = await owner.result
    expect(error).toBeUndefined()
    expect(connection && (await query(connection, 'SELECT 1 AS one'))).toEqual([{ one: 1 }])
    expect((await stat(join(own, 'data'))).mode & 0o777).toBe(0o700)
    owner.process.stdin?.end()
    await owner.exited

    expect(await startOwner(join(parent, 'theirs'), nobody).result).toMatchObject({
      error: `The data directory ${parent}/theirs cannot be used: permission denied.`,
    })
    await mkdir(join(parent, 'readable'))
    await chmod(join(parent, 'readable'), 0o755)
    expect(await startOwner(join(parent, 'readable'), nobody).result).toMatchObject({
      error: `The data directory ${parent}/readable cannot be used: permission denied.`,
    })
  },
)
