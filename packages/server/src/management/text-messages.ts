/** `/text-messages`. */
import { textMessageRoutes } from '@countersign/contract/text-messages.ts'
import type { MessageUsage } from '../domain/delivery/messages.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'

/** Shows a text message with sample values. */
export type PreviewTextMessage = (
  tenant: Tenant,
  usage: MessageUsage,
  languageTag: string | undefined,
  content: string | undefined,
) => Promise<{
  readonly text: string
  readonly parts: number
  readonly isUnicode: boolean
  readonly unknownVariables: string[]
}>

/** @param preview how a text message is shown */
export const textMessageHandlers = (preview: PreviewTextMessage) =>
  bind(textMessageRoutes, {
    previewTextMessage: ({ query: { usageType, languageTag, content } }, { tenant }) =>
      preview(tenant, usageType, languageTag, content),
  })
