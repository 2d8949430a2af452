/**
 * SPEC 3 and DECISIONS G4: the effect of a permission change on the next token of a user. The user authorizes an
 * application for the scopes `read write` of API A while holding some of its permissions, then something changes, then
 * a token for A is requested. A token carries what was requested, granted at the authorization, and is held now.
 */
type Permission = 'read' | 'write' | 'delete'

export type Change =
  | 'a role with the permission is given to the user'
  | 'the permission is added to a role of the user'
  | 'the role is taken from the user'
  | 'the permission is removed from the role'
  | 'the permission is deleted'
  | 'the role is deleted'
  | 'the permission is deleted and made again'
  | 'the permission is taken from the role and given back'
  | 'the permission of the same name of another API is given to the user'
  | 'another role with the permission is given, and the role is taken from the user'

export interface PermissionRow {
  readonly change: Change
  /** The permission that changes. */
  readonly of: Permission
  /** What the role of the user holds at the authorization. */
  readonly held: readonly Permission[]
  /** The scope of the token from the code or refresh token of the old authorization. */
  readonly old: string
  /** The same of a new authorization, which asks the user nothing. */
  readonly silent: string
}

export const PERMISSION_ROWS: readonly PermissionRow[] = [
  // gained: a new authorization is needed
  {
    change: 'a role with the permission is given to the user',
    of: 'write',
    held: ['read'],
    old: 'read',
    silent: 'read write',
  },
  { change: 'a role with the permission is given to the user', of: 'read', held: [], old: '', silent: 'read' },
  {
    change: 'the permission is added to a role of the user',
    of: 'write',
    held: ['read'],
    old: 'read',
    silent: 'read write',
  },
  {
    change: 'the permission of the same name of another API is given to the user',
    of: 'write',
    held: ['read'],
    old: 'read',
    silent: 'read',
  },
  {
    change: 'the permission is deleted and made again',
    of: 'write',
    held: ['read', 'write'],
    old: 'read',
    silent: 'read write',
  },
  // gained, but never requested
  {
    change: 'a role with the permission is given to the user',
    of: 'delete',
    held: ['read'],
    old: 'read',
    silent: 'read',
  },
  // lost: the next token is without it
  {
    change: 'the role is taken from the user',
    of: 'write',
    held: ['read', 'write'],
    old: '',
    silent: '',
  },
  {
    change: 'the permission is removed from the role',
    of: 'write',
    held: ['read', 'write'],
    old: 'read',
    silent: 'read',
  },
  { change: 'the permission is deleted', of: 'read', held: ['read', 'write'], old: 'write', silent: 'write' },
  { change: 'the role is deleted', of: 'read', held: ['read', 'write'], old: '', silent: '' },
  // held then and held now, whatever happened in between and through whichever role
  {
    change: 'the permission is taken from the role and given back',
    of: 'write',
    held: ['read', 'write'],
    old: 'read write',
    silent: 'read write',
  },
  {
    change: 'another role with the permission is given, and the role is taken from the user',
    of: 'write',
    held: ['read', 'write'],
    old: 'write',
    silent: 'write',
  },
]
