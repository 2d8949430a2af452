/** `countersign doctor`: checks for problems that occur in practice. */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import type { Finding } from '../../doctor.ts'

const MARK: Record<Finding['verdict'], string> = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check the database, the keys, the clock, the base URL, the proxy and the mail server. Exits with 1 when something is wrong.',
    )
    .action(async () => {
      const { diagnose } = await import('../../doctor.ts')
      const findings = await diagnose(readConfiguration(process.env))
      for (const { subject, verdict, text } of findings) console.log(`${MARK[verdict]} ${subject}: ${text}`)
      if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
    })
