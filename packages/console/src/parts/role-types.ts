/** Who can hold a role, in words. */
import type { Phrase } from '../languages/languages.ts'

export const ROLE_TYPES = {
  User: 'roles.forUsers',
  MachineToMachine: 'roles.forMachines',
} as const satisfies Record<string, Phrase>

export type RoleType = keyof typeof ROLE_TYPES

export const isRoleType = (type: string | undefined): type is RoleType =>
  type !== undefined && Object.hasOwn(ROLE_TYPES, type)
