/** `countersign users`: import and export users as lines of JSON. */
import { open } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { ConfigurationError } from '../../kernel/configuration.ts'
import type { ImportRequest } from '../../user-transfer.ts'
import { fileError } from '../file-error.ts'
import { openOutput } from '../output.ts'
import { progressLine } from '../progress-line.ts'
import { openRefusals, type RefusalsFile } from '../refusals-file.ts'

const HELP = `
A line is the body of POST /users (username, primaryEmail, primaryPhone, name, avatar, customData, profile, and password,
or passwordDigest with passwordAlgorithm), and may also have id, emailVerified, phoneVerified, isSuspended, createdAt,
lastSignInAt, roleNames and roleIds. A user whose line names no roles gets the default roles.

Lines that are invalid, or whose identifiers are taken, are refused one by one and listed with line number and reason in the
file that --report names. The command exits with 0 when every line was imported, with 1 when some were refused.

An import that is cut short, whatever the moment, goes on where it was with --resume and the same input.`

interface ImportOptions {
  readonly tenant: string
  readonly report?: string
  readonly resume?: boolean
  readonly again?: boolean
  readonly events: boolean
  readonly ignoreUnknownKeys?: boolean
}

const ofTenant = (): Option => new Option('--tenant <id>', 'whose users').default('default')
const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** The input and, unless it is a pipe, its size. Throws an explanation when there is no such file. */
const opened = async (file: string): Promise<{ input: AsyncIterable<Buffer>; size: number | undefined }> => {
  if (file === '-') return { input: process.stdin, size: undefined }
  try {
    // opened here, where a failure can be reported: a stream that opens the file itself fails before anything listens
    const handle = await open(file)
    const found = await handle.stat()
    if (found.isDirectory()) {
      await handle.close()
      throw new ConfigurationError(`${file} is a directory.`)
    }
    return { input: handle.createReadStream(), size: found.isFile() ? found.size : undefined }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw fileError(file, 'read', error)
  }
}

const modeOf = ({ resume, again }: ImportOptions): ImportRequest['mode'] => {
  if (resume && again) throw new ConfigurationError('--resume and --again cannot be combined.')
  return resume ? 'resume' : again ? 'again' : 'first'
}

const runImport = async (file: string, options: ImportOptions): Promise<void> => {
  const { importUserLines } = await import('../../user-transfer.ts')
  const mode = modeOf(options)
  const configuration = readConfiguration(process.env)
  const { input, size } = await opened(file)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const progress = progressLine(process.stderr, size)
  const reportPath = options.report ?? (file === '-' ? 'refused.jsonl' : `${file}.refused.jsonl`)
  const startedAt = performance.now()
  let report: RefusalsFile | undefined
  let linesBefore = 0
  const seconds = () => (performance.now() - startedAt) / 1000
  const speed = (lines: number) => Math.round((lines - linesBefore) / Math.max(seconds(), 0.001)).toLocaleString('en')
  try {
    const { isFinished, lines, created, refused } = await importUserLines(configuration, {
      tenantId: options.tenant,
      input,
      mode,
      withEvents: options.events,
      allowUnknownKeys: options.ignoreUnknownKeys ?? false,
      signal: stopping.signal,
      async begin(before) {
        linesBefore = before?.lines ?? 0
        report = await openRefusals(reportPath, before?.recent)
        if (before) console.error(`Continuing after line ${before.lines.toLocaleString('en')}.`)
      },
      async advance({ bytes, lines, created, refused, recent }) {
        await report?.append(recent)
        progress.show(
          bytes,
          `${counted(lines, 'line')}, ${counted(created, 'user')} imported, ${refused.toLocaleString('en')} refused, ${speed(lines)} a second`,
        )
      },
    })
    progress.end()
    console.log(
      `Imported ${counted(created, 'user')} of ${counted(lines, 'line')} in ${seconds().toFixed(1)} s, ${speed(lines)} a second.`,
    )
    if (refused > 0) console.log(`${counted(refused, 'line')} refused; see ${reportPath} for the reasons.`)
    if (!isFinished) console.log('Stopped before the end; --resume continues.')
    if (refused > 0 || !isFinished) process.exitCode = 1
  } catch (error) {
    progress.end()
    if (report) console.error('The import was interrupted; the same command with --resume continues it.')
    throw error
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await report?.close()
    // a pipe that is still open would keep the process running
    if (file === '-') process.stdin.destroy()
  }
}

interface ExportOptions {
  readonly tenant: string
  readonly output?: string
  readonly withPasswordHashes?: boolean
}

const runExport = async ({ tenant, output, withPasswordHashes = false }: ExportOptions): Promise<void> => {
  const configuration = readConfiguration(process.env)
  if (withPasswordHashes)
    console.error('The export holds password hashes: anyone who reads it can guess passwords as fast as they like.')
  const { write, close } = await openOutput(output)
  try {
    const { exportUserLines } = await import('../../user-transfer.ts')
    const count = await exportUserLines(configuration, tenant, withPasswordHashes, write)
    console.error(`Exported ${counted(count, 'user')}.`)
  } finally {
    await close()
  }
}

export const usersCommand = (): Command =>
  new Command('users')
    .description('Import and export users as lines of JSON.')
    .addCommand(
      new Command('import')
        .description('Import users, one per line.')
        .argument('<file>', 'lines of JSON; - is standard input')
        .addOption(ofTenant())
        .option('--report <file>', 'file for the refused lines; <file>.refused.jsonl by default')
        .option('--resume', 'continue an earlier import of this input where it stopped, if there was one')
        .option('--again', 'start at the first line even if this input was imported before')
        .option('--no-events', 'emit no User.Created, so that no webhook is sent for them')
        .option('--ignore-unknown-keys', 'ignore keys that the server does not know; otherwise such a line is refused')
        .addHelpText('after', HELP)
        .action(runImport),
    )
    .addCommand(
      new Command('export')
        .description('Write users, one per line, in the format that import accepts.')
        .addOption(ofTenant())
        .option('--output <file>', 'write to this new file, readable by its owner only; standard output by default')
        .option('--with-password-hashes', 'include password hashes: protect the file as you protect the database')
        .action(runExport),
    )
