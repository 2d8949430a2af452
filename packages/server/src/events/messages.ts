/** Sends queued messages, mail and text messages, through the connector that the tenant has when they are sent. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import type { Carrier } from '../domain/delivery/connector-configs.ts'
import { carrierOf } from '../domain/delivery/connectors.ts'
import { emailTemplateFor } from '../domain/delivery/email-templates.ts'
import type { Message } from '../domain/delivery/messages.ts'
import { type SignInSettings, signInExperience } from '../domain/sign-in/experience.ts'
import { newId } from '../kernel/ids.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { chooseLanguage } from '../languages/choice.ts'
import type { Store } from '../storage/store.ts'
import { type DispatchHandler, Undeliverable } from './dispatch-handler.ts'
import { type HttpMessage, sendByHttp } from './http-message.ts'
import { type MailTemplate, type MailVariables, type RenderedMail, renderMail } from './mail-templates.ts'
import { MessageFailure } from './message-failure.ts'
import type { Values } from './placeholders.ts'
import { addressLine, senderOf } from './sender.ts'
import { isGsm, renderSms } from './sms-text.ts'
import { sendBySmtp } from './smtp.ts'

/** A user is waiting for it. */
const RETRY_SECONDS = [5, 15, 30, 60, 120, 300]
/** An administrator is waiting for it. */
const TEST_MS = 20_000

type Channel = 'Email' | 'Sms'

/** A message that is being sent. */
interface Outgoing extends MailVariables {
  readonly tenant: Tenant
  /** The same for every attempt. */
  readonly id: string
  readonly to: string
}

/** The values of a message that no log may contain. */
const confidentialIn = ({ variables: { code, link } }: Outgoing): string[] =>
  [code, link].filter((each) => each !== undefined)

const commonValues = ({ id, usage, language, variables }: Outgoing): Values => ({
  ...variables,
  id,
  type: usage,
  locale: language,
})

const overHttp = (outgoing: Outgoing, values: Values): HttpMessage => ({
  values: { ...commonValues(outgoing), ...values },
  confidential: confidentialIn(outgoing),
})

const mailOverHttp = (carrier: Carrier, outgoing: Outgoing, rendered: RenderedMail): HttpMessage => {
  const sender = senderOf(carrier, rendered)
  const { subject, text = '', html = '' } = rendered
  return overHttp(outgoing, {
    to: outgoing.to,
    subject,
    text,
    html,
    from: sender.address && addressLine(sender),
    fromEmail: sender.address,
    fromName: sender.name,
    replyTo: sender.replyTo,
  })
}

const smsOverHttp = async (carrier: Carrier, outgoing: Outgoing): Promise<HttpMessage> => {
  const { config } = carrier
  const text = await renderSms(config.templates ?? [], outgoing.tenant, outgoing)
  const hasSender = 'senderId' in config && config.senderId !== undefined
  return overHttp(outgoing, {
    to: `+${outgoing.to}`,
    digits: outgoing.to,
    text,
    unicode: isGsm(text) ? '' : 'unicode',
    senderIdName: hasSender ? 'AWS.SNS.SMS.SenderID' : '',
    senderIdType: hasSender ? 'String' : '',
  })
}

/** The operator's template, otherwise the connector's; undefined if the server's own text is used. */
const chosenTemplate = async (
  store: Store,
  { config: { templates = [] } }: Carrier,
  { tenant, usage, language }: Outgoing,
  { languageInfo: { fallbackLanguage } }: SignInSettings,
): Promise<MailTemplate | undefined> => {
  const own = await emailTemplateFor(store, tenant, usage, language, fallbackLanguage)
  if (own) return { ...own, contentType: own.contentType ?? 'text/html' }
  return templates.find(({ usageType }) => usageType === usage) as MailTemplate | undefined
}

/** Sends a message. Throws MessageFailure. */
const sendOne = async (
  { store, outbound }: { store: Store; outbound: Outbound },
  channel: Channel,
  carrier: Carrier,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<void> => {
  const now = store.clock.now()
  const { tenant, id, to } = outgoing
  if (channel === 'Sms') {
    if (carrier.kind === SMTP) throw new Error('A mail server carries no text messages')
    return sendByHttp(outbound, carrier, await smsOverHttp(carrier, outgoing), now, signal)
  }
  const experience = await signInExperience(store, tenant)
  const template = await chosenTemplate(store, carrier, outgoing, experience)
  const rendered = await renderMail(template, experience, tenant, outgoing)
  if (carrier.kind !== SMTP)
    return sendByHttp(outbound, carrier, mailOverHttp(carrier, outgoing, rendered), now, signal)
  return sendBySmtp(outbound, carrier.config, { ...rendered, to, id, host: new URL(tenant.baseUrl).host }, signal)
}

/** The same; only the log has what the mail server or the provider said. */
const sendLogged: typeof sendOne = async (means, channel, carrier, outgoing, signal) => {
  try {
    await sendOne(means, channel, carrier, outgoing, signal)
  } catch (error) {
    if (!(error instanceof MessageFailure)) throw error
    const where = carrier.kind === SMTP ? { host: carrier.config.host, port: carrier.config.port } : {}
    const { kind, cause } = error
    means.store.log.warn(
      { err: cause, kind, tenantId: outgoing.tenant.id, connector: carrier.kind, ...where },
      channel === 'Email' ? 'a mail could not be sent' : 'a text message could not be sent',
    )
    throw error
  }
}

/** The handler of the dispatches of a channel. */
export const messages = (store: Store, outbound: Outbound, channel: Channel): DispatchHandler => ({
  action: channel === 'Email' ? 'sendMail' : 'sendSms',
  retrySeconds: RETRY_SECONDS,
  facts: (payload) => ({ usage: (payload as Message).usage }),
  async deliver({ tenant, id, payload, signal }) {
    const message = payload as Message
    const carrier = await carrierOf(store, tenant, channel)
    if (!carrier) throw new Undeliverable(`the tenant has no ${channel === 'Email' ? 'mail' : 'SMS'} connector`)
    const language = chooseLanguage(message.language, undefined, await signInExperience(store, tenant))
    const { usage, variables, recipient: to } = message
    try {
      await sendLogged({ store, outbound }, channel, carrier, { tenant, id, to, usage, variables, language }, signal)
    } catch (error) {
      throw error instanceof MessageFailure && error.isFinal ? new Undeliverable(error.message) : error
    }
  },
})

/** The handler of messages that no one gets, see withholdMessage. */
export const withheldMessages: DispatchHandler = {
  action: 'withholdMessage',
  retrySeconds: [],
  facts: (payload) => ({ usage: (payload as Message).usage }),
  deliver: async () => undefined,
}

/** Sends a message at once to test a configuration; returns the failure, if there is one. */
export const sendTestMessage =
  (store: Store, outbound: Outbound) =>
  async (
    tenant: Tenant,
    channel: Channel,
    carrier: Carrier,
    to: string,
    locale?: string,
  ): Promise<MessageFailure | undefined> => {
    const language = chooseLanguage(locale ?? 'en', undefined, await signInExperience(store, tenant))
    const variables = { code: '123456', minutes: '10' }
    const outgoing: Outgoing = { tenant, id: newId(), to, usage: 'Generic', variables, language }
    try {
      await sendLogged({ store, outbound }, channel, carrier, outgoing, AbortSignal.timeout(TEST_MS))
      return undefined
    } catch (error) {
      if (error instanceof MessageFailure) return error
      throw error
    }
  }
