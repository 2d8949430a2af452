/** What an application would get by a token exchange: what `countersign explain exchange` shows, with or without a running server. */
import { withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import { getTenant } from './domain/tenants/tenants.ts'
import {
  type ExchangeExplanation,
  type ExchangeParties,
  type ExchangeQuestion,
  explanationOf,
} from './management/exchange-explanations.ts'
import { explainExchange } from './protocol/token-exchange/explanation.ts'

/** The explanation that `GET /api/users/:userId/applications/:applicationId/exchange-explanation` gives. Throws 404 for an unknown tenant, application or user. */
export const explainExchangeOf = (
  configuration: Configuration,
  tenantId: string,
  parties: ExchangeParties,
  question: ExchangeQuestion,
): Promise<ExchangeExplanation> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    return explanationOf(store, tenant, explainExchange(store), parties, question)
  })
