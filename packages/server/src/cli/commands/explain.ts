/** `countersign explain exchange`: what an application would get by a token exchange, and which rules decide that. */
import type { exchangeExplanationRoutes } from '@countersign/contract/exchange-explanations.ts'
import { EXCHANGE_SUBJECTS } from '@countersign/contract/exchange-policies.ts'
import type { RouteResult } from '@countersign/contract/route.ts'
import { Command, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'

type ExchangeExplanation = RouteResult<typeof exchangeExplanationRoutes.explainExchange>

interface ExchangeOptions {
  readonly tenant: string
  readonly application: string
  readonly subject: string
  readonly subjectType: (typeof EXCHANGE_SUBJECTS)[number]
  readonly subjectAudience?: string
  readonly subjectApplication?: string
  readonly subjectScope?: string
  readonly actor?: true
  readonly resource?: string
  readonly scope?: string
  readonly organization?: string
  readonly json?: true
}

/** The explanation as lines for a terminal. */
const linesOf = ({ refusal, rules, audience, expiresIn, scopes }: ExchangeExplanation): string[] => [
  refusal
    ? `refused: ${refusal.error}, ${refusal.description}${refusal.reason === null ? '' : ` (${refusal.reason})`}`
    : `allowed: ${audience === null ? 'an opaque token for userinfo' : `a JWT for ${audience}`}, for ${expiresIn} seconds at most`,
  ...(rules.length === 0 ? [] : ['', 'Rules, in order:']),
  ...rules.map(({ source, name, effect, whyNot }) =>
    whyNot === null ? `  ${effect}  ${source}: ${name}` : `  -      ${source}: ${name} (does not apply: ${whyNot})`,
  ),
  ...(scopes.length === 0 ? [] : ['', 'Scopes:']),
  ...scopes.map(({ name, isGranted, why }) => (isGranted ? `  granted  ${name}` : `  dropped  ${name} (${why ?? ''})`)),
]

const runExchange = async (options: ExchangeOptions): Promise<void> => {
  const configuration = readConfiguration(process.env)
  const { explainExchangeOf } = await import('../../exchange-explanation.ts')
  const { tenant, application, subject, subjectType, actor, resource, scope, organization } = options
  const optional = {
    subjectAudience: options.subjectAudience,
    subjectApplicationId: options.subjectApplication,
    subjectScope: options.subjectScope,
    hasActor: actor ? ('true' as const) : undefined,
    ...{ resource, scope, organizationId: organization },
  }
  const parties = { userId: subject, applicationId: application }
  const named = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  const explanation = await explainExchangeOf(configuration, tenant, parties, { subjectType, ...named })
  console.log(options.json ? JSON.stringify(explanation, undefined, 2) : linesOf(explanation).join('\n'))
}

export const explainCommand = (): Command =>
  new Command('explain')
    .description('Say what the server would decide, and why.')
    .addCommand(
      new Command('exchange')
        .description('What an application would get by a token exchange: the rules, the scopes that remain, and why.')
        .addOption(new Option('--tenant <id>', 'of which tenant').default('default'))
        .requiredOption('--application <id>', 'the application that exchanges')
        .requiredOption('--subject <id>', 'the user whom the subject token stands for')
        .addOption(
          new Option('--subject-type <type>', 'of the subject token')
            .choices(EXCHANGE_SUBJECTS)
            .default('access_token'),
        )
        .option('--subject-audience <indicator>', 'the API that the access token is for; userinfo by default')
        .option('--subject-application <id>', 'the application that the access token was issued to')
        .option('--subject-scope <scopes>', 'the scopes of the access token; those that are asked for by default')
        .option('--actor', 'with an actor token')
        .option('--resource <indicator>', 'the API that the new token is for')
        .option('--scope <scopes>', 'what is asked for; every permission of the resource by default')
        .option('--organization <id>', 'the organization that the new token is for')
        .option('--json', 'as the Management API gives it')
        .action(runExchange),
    )
