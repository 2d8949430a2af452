/** Sends a message by a request to a provider: one from the catalogue, or any other that the connector describes. */
import type { MessageKind } from '@countersign/contract/connector-configs.ts'
import { type Carrier, secretsOf } from '../domain/delivery/connector-configs.ts'
import { PROVIDERS } from '../domain/delivery/providers/catalogue.ts'
import type { Outcome, RequestTemplate } from '../domain/delivery/providers/provider.ts'
import type { Outbound, OutboundAnswer } from '../kernel/outbound.ts'
import { signedHeaders } from './aws-signature.ts'
import { requestFailure } from './message-failure.ts'
import type { Values } from './placeholders.ts'
import { assertTaken } from './provider-answer.ts'
import { filledRequest } from './request-template.ts'

/** A carrier that is reached over HTTP. */
export type HttpCarrier = Exclude<Carrier, { readonly kind: 'simple-mail-transfer-protocol' }>

export interface HttpMessage {
  /** The placeholder values of the message; those of the configuration are added. */
  readonly values: Values
  /** Values that no log may contain: codes, links. */
  readonly confidential: readonly string[]
}

/** The body if the connector does not define one. */
const DEFAULT_BODY = {
  to: '{{to}}',
  type: '{{type}}',
  locale: '{{locale}}',
  id: '{{id}}',
  payload: { code: '{{code}}', link: '{{link}}', minutes: '{{minutes}}', organizationName: '{{organizationName}}' },
  subject: '{{subject}}',
  text: '{{text}}',
  html: '{{html}}',
}

interface Exchange {
  readonly request: RequestTemplate
  readonly outcome: Outcome
}

const exchangeOf = (carrier: HttpCarrier): Exchange => {
  if (carrier.kind === 'http-email' || carrier.kind === 'http-sms') {
    const { endpoint, method, headers = {}, authorization = '', contentType, body, success } = carrier.config
    const request = {
      origin: endpoint,
      headers: { authorization, ...headers },
      body: body ?? DEFAULT_BODY,
      ...(method ? { method } : {}),
      ...(contentType ? { contentType } : {}),
    }
    const { statuses, pointer, values = [] } = success ?? {}
    return {
      request,
      outcome: { ...(statuses ? { statuses } : {}), ...(pointer ? { success: { place: pointer, values } } : {}) },
    }
  }
  const provider = PROVIDERS.find(({ id }) => id === (carrier.kind satisfies MessageKind))
  if (!provider) throw new Error(`There is no provider for connectors of the kind ${carrier.kind}`)
  const { endpoint } = carrier.config
  const { request, outcome } = provider
  return { request: endpoint ? { ...request, origin: endpoint } : request, outcome }
}

const configValues = (config: object): Values =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => typeof value === 'string')
      .map(([name, value]) => [`config.${name}`, value]),
  )

const signature = (
  request: ReturnType<typeof filledRequest>,
  { request: { aws } }: Exchange,
  config: object,
  now: Date,
) =>
  aws && 'accessKeyId' in config ? signedHeaders(request, aws, config as Parameters<typeof signedHeaders>[2], now) : {}

/** Sends the message. Throws MessageFailure. */
export const sendByHttp = async (
  outbound: Outbound,
  carrier: HttpCarrier,
  { values, confidential }: HttpMessage,
  now: Date,
  signal: AbortSignal,
): Promise<void> => {
  const exchange = exchangeOf(carrier)
  const { config } = carrier
  const request = filledRequest(exchange.request, { ...values, ...configValues(config) })
  const { url, method, body } = request
  const headers = { ...request.headers, ...signature(request, exchange, config, now) }
  let answer: OutboundAnswer
  try {
    answer = await outbound.send({ url, method, headers, signal, ...(body === undefined ? {} : { body }) })
  } catch (error) {
    throw requestFailure(error)
  }
  assertTaken(answer, exchange.outcome, [...secretsOf(carrier), ...confidential])
}
