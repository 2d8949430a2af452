/** The revocation feed in a guard: what it adds to a verification, what a million revocations take, and how soon a token is refused. */
import { accessTokenVerifier } from '@countersign/guard'
import { revocationFeed } from '@countersign/guard/revocations'
import { atMost, median, type Section, spread } from '../figures.ts'
import { ASKED, type World } from '../world.ts'

const ROUNDS = 9
const VERIFICATIONS = 3000

/** Microseconds of CPU of one call of each, in turns. */
const cpuOf = async (calls: readonly (() => Promise<unknown>)[]): Promise<number[][]> => {
  const measured: number[][] = calls.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, call] of calls.entries()) {
      const before = process.cpuUsage()
      for (let n = 0; n < VERIFICATIONS; n++) await call()
      const { user, system } = process.cpuUsage(before)
      measured[index]?.push((user + system) / VERIFICATIONS)
    }
  }
  return measured
}

export const revocations = async ({ api, application, database, installation, quick }: World): Promise<Section> => {
  const issuer = `${installation.baseUrl}/oidc`
  const entries = quick ? 100_000 : 1_000_000
  const { id } = await api.createApplication({
    body: {
      name: 'Bench resource server',
      type: 'MachineToMachine',
      customClientMetadata: { introspectionAudiences: [ASKED.resource] },
    },
  })
  const [secret] = await api.listApplicationSecrets({ params: { id } })
  await database.query(
    `INSERT INTO revocations (tenant_id, kind, subject, ends_at)
     SELECT 'default', 'grant', 'bench-' || i, now() + interval '1 day' FROM generate_series(1, $1::integer) i`,
    [entries],
  )
  const authorization = `Basic ${Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')}`
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${issuer}${path}`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })
  const newToken = async (): Promise<string> => {
    const { access_token } = await (await post('/token', { grant_type: 'client_credentials', ...ASKED })).json()
    return access_token
  }

  const expected = { issuer, audience: ASKED.resource }
  const token = await newToken()
  const began = performance.now()
  const feed = revocationFeed(issuer, {
    clientId: id,
    clientSecret: secret?.value ?? '',
    whenSilent: 'refuse',
    timeoutMs: 60_000,
    maxEntries: 2 * entries,
    onError: (error) => console.error(error),
  })
  try {
    const followed = accessTokenVerifier({ ...expected, revocations: feed })
    await followed(token)
    const read = (performance.now() - began) / 1000
    const plain = accessTokenVerifier(expected)
    const [without = [], with_ = []] = await cpuOf([() => plain(token), () => followed(token)])
    const ratio = with_.map((value, round) => value / (without[round] ?? 1))

    const delays: number[] = []
    for (let n = 0; n < 20; n++) {
      const doomed = await newToken()
      await followed(doomed)
      await post('/token/revocation', { token: doomed })
      const revokedAt = performance.now()
      while (
        await followed(doomed).then(
          () => true,
          () => false,
        )
      );
      delays.push(performance.now() - revokedAt)
    }
    const each = feed.bytes / feed.size
    return {
      title: `revocation feed, ${entries.toLocaleString('en')} entries in a guard`,
      figures: [
        { name: 'CPU of a verification without', value: `${spread(without, 0)} µs` },
        { name: 'CPU of a verification with', value: `${spread(with_, 0)} µs` },
        atMost('as a ratio', median(ratio), spread(ratio, 2), 1.2, ' times'),
        atMost('memory for each entry', each, `${each.toFixed(0)} bytes`, 40, ' bytes'),
        atMost('reading all of them', read, `${read.toFixed(1)} s`, 60, ' s'),
        atMost(
          'from the answer to a revocation to the refusal',
          Math.max(...delays),
          `${spread(delays, 0)} ms`,
          1000,
          ' ms',
        ),
      ],
    }
  } finally {
    feed.close()
    await database.query('DELETE FROM revocations')
  }
}
