/**
 * The cost of the embedded PostgreSQL so far, read from outside: the postmaster, every process that it has started and
 * those that have ended since.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kernel counts in ticks of 10 ms on every Linux that Node runs on (USER_HZ). */
const TICK = 10_000

/** proc(5): the fields of stat after the name, which is in parentheses; undefined for a process that has just ended. */
const fieldsOf = (pid: string): string[] | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const ticks = (fields: readonly string[], from: number, count: number): number =>
  fields.slice(from, from + count).reduce((total, each) => total + Number(each), 0)

/**
 * Microseconds of CPU, user and system, of the whole cluster since it was started; undefined where there is no /proc.
 * @param dataDir of an installation whose embedded database runs
 */
export const cpuOfPostgres = (dataDir: string): number | undefined => {
  if (process.platform !== 'linux') return undefined
  const [postmaster = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'latin1').split('\n')
  const own = fieldsOf(postmaster)
  if (!own) return undefined
  // ppid is field 4; utime and stime are 14 and 15, and 16 and 17 those of children that have ended
  const children = readdirSync('/proc').flatMap((pid) => {
    const fields = /^\d+$/.test(pid) ? fieldsOf(pid) : undefined
    return fields?.[1] === postmaster ? [ticks(fields, 11, 2)] : []
  })
  return TICK * children.reduce((total, each) => total + each, ticks(own, 11, 4))
}

/**
 * Begins to measure; the result returns how many microseconds of PostgreSQL's CPU each of this many requests has cost
 * since.
 */
export const meterPostgres = (dataDir: string): ((requests: number) => number | undefined) => {
  const before = cpuOfPostgres(dataDir)
  return (requests) => {
    const after = cpuOfPostgres(dataDir)
    return before === undefined || after === undefined ? undefined : (after - before) / requests
  }
}
