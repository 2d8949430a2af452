/** The kinds of application that can be made here, as cards: what each is for, and which frameworks belong to it. */
import { Cpu, Globe, KeySquare, type LucideIcon, MonitorSmartphone, Server, Tv } from 'lucide-react'
import type { Input, Row } from '../../api/client.ts'
import type { Phrase } from '../../languages/languages.ts'

export type Application = Row<'listApplications'>
export type ApplicationType = Application['type']

export interface Kind {
  readonly id: 'spa' | 'web' | 'native' | 'device' | 'machine' | 'saml'
  readonly type: ApplicationType
  readonly title: Phrase
  readonly text: Phrase
  readonly icon: LucideIcon
  /** Whether users are sent back to it by their browser. */
  readonly hasRedirect: boolean
  /** What its creation sends beside name and type. */
  readonly settings?: NonNullable<Input<'createApplication'>>['body']['customClientMetadata']
}

export const KINDS: readonly Kind[] = [
  { id: 'spa', type: 'SPA', title: 'kind.spa', text: 'kind.spaText', icon: Globe, hasRedirect: true },
  { id: 'web', type: 'Traditional', title: 'kind.web', text: 'kind.webText', icon: Server, hasRedirect: true },
  {
    id: 'native',
    type: 'Native',
    title: 'kind.native',
    text: 'kind.nativeText',
    icon: MonitorSmartphone,
    hasRedirect: true,
  },
  {
    id: 'device',
    type: 'Native',
    title: 'kind.device',
    text: 'kind.deviceText',
    icon: Tv,
    hasRedirect: false,
    settings: { isDeviceFlow: true },
  },
  {
    id: 'machine',
    type: 'MachineToMachine',
    title: 'kind.machine',
    text: 'kind.machineText',
    icon: Cpu,
    hasRedirect: false,
  },
  { id: 'saml', type: 'SAML', title: 'kind.saml', text: 'kind.samlText', icon: KeySquare, hasRedirect: false },
]

/** The name of its type, for lists. */
export const TYPE_TITLES: Readonly<Record<ApplicationType, Phrase>> = {
  SPA: 'kind.spa',
  Traditional: 'kind.web',
  Native: 'kind.native',
  MachineToMachine: 'kind.machine',
  SAML: 'kind.saml',
}

/** Whether the browsers of users come back to it. */
export const hasRedirects = ({ type, customClientMetadata }: Application): boolean =>
  ['SPA', 'Traditional', 'Native'].includes(type) && !customClientMetadata.isDeviceFlow

/** Whether it proves itself with a secret. */
export const hasSecrets = ({ type }: Application): boolean => type === 'Traditional' || type === 'MachineToMachine'
