// `npm run conformance -- PLAN…`: prepares clients, a person and the configuration for plans of the OpenID Foundation's conformance suite,
// which runs beside it, and prints how to start them (docs/conformance.md). The server is the running one of `data`, or with
// `--serve HOST:PORT` one of its own behind TLS.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPreparation } from './configurations.ts'
import { PLANS } from './plans.ts'
import { serve } from './serve.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'https://localhost.emobix.co.uk:8443' },
    'suite-certificate': { type: 'string' },
    serve: { type: 'string' },
    data: { type: 'string' },
  },
})

/** Throws a sentence for the operator. */
const chosen = (names: readonly string[]) => {
  const known = Object.keys(PLANS)
  const wanted = names.length === 1 && names[0] === 'all' ? known : names
  const unknown = wanted.find((name) => !known.includes(name))
  if (wanted.length === 0 || unknown !== undefined)
    throw new Error(`${unknown ?? 'Nothing'} is no plan. There are: ${known.join(', ')}, and all.`)
  return wanted.flatMap((name) => PLANS[name] ?? [])
}

const addressOf = (text: string) => {
  const [, host = '', port = ''] = /^([\w.-]+):(\d+)$/.exec(text) ?? []
  if (host === '' || !(Number(port) > 0 && Number(port) < 65_535))
    throw new Error(
      '--serve takes the host and the port at which the suite reaches this machine: host.docker.internal:8444',
    )
  return { host, port: Number(port) }
}

const run = async () => {
  const plans = chosen(positionals)
  const suite = values.suite.replace(/\/$/, '')
  if (!URL.canParse(suite)) throw new Error('--suite takes the address of the suite.')
  const folder = values.data ?? (values.serve === undefined ? 'data' : join('data', 'conformance'))
  if (values.serve !== undefined)
    await serve({ folder, suite, suiteCertificate: values['suite-certificate'], ...addressOf(values.serve) })
  const credentials = JSON.parse(readFileSync(join(folder, 'management.json'), 'utf8'))
  const preparation = createPreparation({ credentials, suite, folder })
  await preparation.ensurePerson()
  for (const name of new Set(plans.map(({ configuration }) => configuration))) {
    const made = await preparation.make(name)
    writeFileSync(preparation.fileOf(name), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  }
  const lines = plans.map(
    ({ plan, variant, configuration }) => `  '${plan}${variant}' $HERE/${preparation.fileOf(configuration)}`,
  )
  console.log(
    `In the folder of the suite, with the root of this repository in HERE:\n\nscripts/run-test-plan.py \\\n${lines.join(' \\\n')}`,
  )
  if (values.serve !== undefined) console.log(`\nThe server is ready at https://${values.serve}; Ctrl+C ends it.`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
