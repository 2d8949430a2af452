/** Whether an account can reach files: the directories on the way decide. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.ts'

/** The bits of these capabilities in /proc/self/status. */
const capabilityBits = { dac_override: 1n << 1n, dac_read_search: 1n << 2n }
export type Capability = keyof typeof capabilityBits

/**
 * Finds out whether an account can read (and run) the files and pass every directory above them and down to `dataDir`.
 * Gives null when it can; else the first path it cannot use and the weakest capability that helps: reading and passing
 * directories where that suffices and we have it (Docker, by default, does not), else all file access.
 */
export async function capabilityToReach(
  account: Account,
  files: readonly string[],
  dataDir: string,
): Promise<{ capability: Capability; blockedBy: string } | null> {
  const real = await Promise.all(files.map((file) => realpath(file)))
  const blockedFiles = await blocked(account, real, 0o4)
  const blockedDirectories = await blocked(
    account,
    new Set([dataDir, ...real.flatMap(ancestors), ...ancestors(dataDir)]),
    0o1,
  )
  const blockedBy = blockedFiles[0] ?? blockedDirectories[0]
  if (!blockedBy) return null
  // A program that is not executable for the account needs dac_override: dac_read_search is about directories and reading.
  const readSearchSuffices = blockedFiles.length === 0 && (await hasCapability('dac_read_search'))
  return { capability: readSearchSuffices ? 'dac_read_search' : 'dac_override', blockedBy }
}

/** The paths on which the account lacks the permission `bit` (4 read, 1 pass or execute). */
async function blocked(account: Account, paths: Iterable<string>, bit: number): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const { uid, gid, mode } = await stat(path)
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
    if (((mode >> shift) & bit) === 0) found.push(path)
  }
  return found
}

function ancestors(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...ancestors(parent), parent]
}

async function hasCapability(capability: Capability): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return effective !== undefined && (BigInt(`0x${effective}`) & capabilityBits[capability]) !== 0n
}
