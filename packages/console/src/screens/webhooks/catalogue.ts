/** The events that a webhook can be sent, in the groups in which they are chosen. */
import { EVENT_TYPES, type EventType } from '@countersign/contract/events.ts'
import type { Phrase } from '../../languages/languages.ts'

interface EventGroup {
  readonly title: Phrase
  readonly events: readonly EventType[]
}

const TITLES: Readonly<Record<string, Phrase>> = {
  User: 'webhooks.group.users',
  Role: 'webhooks.group.roles',
  Scope: 'webhooks.group.permissions',
  Organization: 'webhooks.group.organizations',
  OrganizationRole: 'webhooks.group.organizationRoles',
  OrganizationScope: 'webhooks.group.organizationPermissions',
  TrustedDevice: 'webhooks.group.devices',
  Identifier: 'webhooks.group.limits',
  Message: 'webhooks.group.limits',
  Grant: 'webhooks.group.limits',
}

const titleOf = (event: EventType): Phrase => TITLES[event.split('.')[0] ?? ''] ?? 'webhooks.group.signIns'

/** In the order of the catalogue. */
export const EVENT_GROUPS: readonly EventGroup[] = [...Map.groupBy(EVENT_TYPES, titleOf)].map(([title, events]) => ({
  title,
  events,
}))

export const isEvent = (name: string | undefined): name is EventType =>
  (EVENT_TYPES as readonly (string | undefined)[]).includes(name)
