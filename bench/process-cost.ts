/** The cost of a process so far, read from outside: nothing is added to the measured program. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessCost {
  /** Microseconds, user and system, of all its threads; not of its children, such as the database. */
  readonly cpu: number
  /** Resident bytes. */
  readonly memory: number
}

/** The kernel counts in ticks of 10 ms on every Linux that Node runs on (USER_HZ). */
const TICK = 10_000

/** proc(5): utime and stime are fields 14 and 15 of stat; field 2 is the name, in parentheses. */
const fromProc = (pid: number): ProcessCost => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return { cpu: (Number(fields[11]) + Number(fields[12])) * TICK, memory: Number(kibibytes) * 1024 }
}

/** Without /proc: macOS shows hundredths of a second, `12:34.56`. */
const fromPs = (pid: number): ProcessCost => {
  const [time = '', kibibytes = '0'] = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return { cpu: seconds * 1e6, memory: Number(kibibytes) * 1024 }
}

export const costOf = process.platform === 'linux' ? fromProc : fromPs
