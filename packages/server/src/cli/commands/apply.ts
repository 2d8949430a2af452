/** `countersign apply`: brings a tenant to the state that a file describes. */

import { isUtf8 } from 'node:buffer'
import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { ConfigurationError } from '../../kernel/configuration.ts'
import type { Applied } from '../../tenant-declaration.ts'
import { fileError } from '../file-error.ts'

const HELP = `
Sections: resources, roles, applications, organizationTemplate, connectors, emailTemplates, customProfileFields,
customPhrases, captchaProvider, accountCenter, security, clientRegistration, idToken, signInExperience, hooks, jwtCustomizers. Whatever a file leaves out
stays as it is, a section, an entry or a field; --prune deletes the entries that a section does not name.
Strings in connectors, hooks, captchaProvider and the environmentVariables of jwtCustomizers may contain \${NAME}, an
environment variable. \`countersign export\` writes such a file.

Everything is applied in one transaction: a run that fails changes nothing. A second run changes nothing.`

interface ApplyOptions {
  readonly file: string
  readonly tenant: string
  readonly dryRun?: boolean
  readonly prune?: boolean
  readonly secretsFile?: string
}

const calledIn = (file: string): string => (file === '-' ? 'standard input' : file)

const bytesOf = async (file: string): Promise<Buffer> => {
  try {
    return await (file === '-' ? buffer(process.stdin) : readFile(file))
  } catch (error) {
    throw fileError(calledIn(file), 'read', error)
  }
}

const contentOf = async (file: string): Promise<string> => {
  const bytes = await bytesOf(file)
  if (!isUtf8(bytes)) throw new ConfigurationError(`${calledIn(file)} is not UTF-8 text.`)
  return bytes.toString()
}

const SIGNS = { create: '+', change: '~', delete: '-', keep: '=' } as const

const show = ({ changes }: Applied, isDry: boolean): void => {
  const count = changes.filter(({ verb }) => verb !== 'keep').length
  for (const { verb, what, details } of changes) {
    console.log(`${SIGNS[verb]} ${what}${verb === 'keep' ? ` is kept: ${details.join(', ')}` : ''}`)
    if (verb !== 'keep') for (const detail of details) console.log(`    ${detail}`)
  }
  const noun = count === 1 ? 'change' : 'changes'
  if (count === 0) console.log('Everything already matches the file.')
  else console.log(isDry ? `${count} ${noun} would be made.` : `${count} ${noun} made.`)
}

/** Opened before anything is applied, so that no credentials are created that could not be stored. */
const openSecrets = async (file: string): Promise<FileHandle> => {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    throw fileError(file, 'written', error)
  }
}

const run = async ({ file, tenant, dryRun = false, prune = false, secretsFile }: ApplyOptions): Promise<void> => {
  const { applyTenantFile } = await import('../../tenant-declaration.ts')
  const configuration = readConfiguration(process.env)
  let secrets: FileHandle | undefined
  let isKept = false
  try {
    const applied = await applyTenantFile(configuration, {
      tenantId: tenant,
      text: await contentOf(file),
      file: calledIn(file),
      env: process.env,
      prune,
      isDry: dryRun,
      async prepare() {
        if (secretsFile !== undefined && !dryRun) secrets = await openSecrets(secretsFile)
      },
    })
    show(applied, dryRun)
    const { applications } = applied
    if (dryRun || applications.length === 0) return
    const created = JSON.stringify({ applications }, null, 2)
    await secrets?.writeFile(`${created}\n`)
    isKept = secrets !== undefined
    console.log(isKept ? `The new credentials are in ${secretsFile}.` : created)
  } finally {
    await secrets?.close()
    if (secrets && !isKept && secretsFile !== undefined) await rm(secretsFile, { force: true })
  }
}

export const applyCommand = (): Command =>
  new Command('apply')
    .description('Bring a tenant to the state that a file describes: resources, roles, applications, hooks, settings.')
    .requiredOption('-f, --file <file>', 'YAML; - is standard input')
    .addOption(new Option('--tenant <id>', 'which one').default('default'))
    .option('--dry-run', 'show the differences without changing anything')
    .option('--prune', 'delete entries that a section of the file does not name')
    .option(
      '--secrets-file <file>',
      'write the credentials of new applications to this new file, readable by its owner only; printed by default',
    )
    .addHelpText('after', HELP)
    .action(run)
