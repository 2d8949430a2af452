/** Sends queued messages by mail, through the connector that the tenant has when they are sent. */
import { SMTP, type SmtpSettings } from '@countersign/contract/connector-configs.ts'
import { carrierOf } from '../domain/delivery/connectors.ts'
import { chooseLanguage } from '../domain/delivery/languages.ts'
import type { Message } from '../domain/delivery/messages.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { newId } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { type DispatchHandler, Undeliverable } from './dispatch-handler.ts'
import { isFinal, MailFailure } from './mail-failure.ts'
import { renderMail } from './mail-templates.ts'
import type { Outbound } from './outbound.ts'
import { type Mail, sendBySmtp } from './smtp.ts'

/** A user is waiting for it. */
const RETRY_SECONDS = [5, 15, 30, 60, 120, 300]
/** An administrator is waiting for it. */
const TEST_MS = 20_000

/** Sends a mail; only the log has what the mail server said. Throws MailFailure. */
const sendLogged = async (
  { log }: Store,
  outbound: Outbound,
  { id: tenantId }: Tenant,
  config: SmtpSettings,
  message: Mail,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await sendBySmtp(outbound, config, message, signal)
  } catch (error) {
    const { kind, cause } = error as MailFailure
    log.warn({ err: cause, kind, tenantId, host: config.host, port: config.port }, 'a mail could not be sent')
    throw error
  }
}

/** The handler of kind `mail`. */
export const mail = (store: Store, outbound: Outbound): DispatchHandler => ({
  action: 'sendMail',
  retrySeconds: RETRY_SECONDS,
  facts: (payload) => ({ usage: (payload as Message).usage }),
  async deliver({ tenant, id, payload, signal }) {
    const message = payload as Message
    const carrier = await carrierOf(store, tenant, 'Email')
    if (carrier?.kind !== SMTP) throw new Undeliverable('the tenant has no mail connector')
    const { config } = carrier
    const { languageInfo } = await signInExperience(store, tenant)
    const language = chooseLanguage(message.language, undefined, languageInfo)
    const rendered = renderMail(config, tenant, { ...message, language })
    const ready = { ...rendered, to: message.recipient, id, host: new URL(tenant.baseUrl).host }
    try {
      await sendLogged(store, outbound, tenant, config, ready, signal)
    } catch (error) {
      throw error instanceof MailFailure && isFinal(error) ? new Undeliverable(error.message) : error
    }
  },
})

/** Sends a message at once to test a configuration; returns the failure, if there is one. */
export const sendTestMail =
  (store: Store, outbound: Outbound) =>
  async (tenant: Tenant, config: SmtpSettings, to: string): Promise<MailFailure | undefined> => {
    const rendered = renderMail(config, tenant, { usage: 'Generic', variables: { code: '123456', minutes: '10' } })
    const { host } = new URL(tenant.baseUrl)
    try {
      const ready = { ...rendered, to, id: newId(), host }
      await sendLogged(store, outbound, tenant, config, ready, AbortSignal.timeout(TEST_MS))
      return undefined
    } catch (error) {
      if (error instanceof MailFailure) return error
      throw error
    }
  }
