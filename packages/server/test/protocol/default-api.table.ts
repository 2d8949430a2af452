/**
 * SPEC 2.3 and DECISIONS D4, D5: which kind of token is issued. A and D are registered APIs, D is the default one where
 * the row says so; U is registered too but never authorized, X is not registered. The scopes are those of the
 * authorization request, with or without `openid`.
 */
type Name = 'A' | 'D' | 'U' | 'X'

/** The audience of a JWT, an opaque token for userinfo, or a refusal. */
export type Outcome = 'A' | 'D' | 'opaque' | 'invalid_target'

export interface KindRow {
  readonly defaultApi: 'none' | 'D'
  /** `resource` of the authorization request. */
  readonly authorized: readonly Name[]
  /** `resource` of the token request. */
  readonly asked: readonly Name[]
  readonly withOpenid: Outcome
  readonly withoutOpenid: Outcome
}

const NO: Outcome = 'invalid_target'
const row = (
  defaultApi: KindRow['defaultApi'],
  authorized: readonly Name[],
  asked: readonly Name[],
  withOpenid: Outcome,
  withoutOpenid: Outcome = withOpenid,
): KindRow => ({ defaultApi, authorized, asked, withOpenid, withoutOpenid })

export const KIND_ROWS: readonly KindRow[] = [
  // no default API
  row('none', [], [], 'opaque'),
  row('none', [], ['A'], NO),
  row('none', [], ['X'], NO),
  row('none', ['A'], [], 'opaque'),
  row('none', ['A'], ['A'], 'A'),
  row('none', ['A'], ['D'], NO),
  row('none', ['A'], ['X'], NO),
  row('none', ['A', 'D'], [], 'opaque'),
  row('none', ['A', 'D'], ['A'], 'A'),
  row('none', ['A', 'D'], ['D'], 'D'),
  row('none', ['A', 'D'], ['U'], NO),
  row('none', ['A', 'D'], ['A', 'D'], NO),
  row('none', ['A', 'A'], ['A'], 'A'),
  row('none', ['A'], ['A', 'A'], NO),
  // D is the default API: it applies if the authorization request names none (rule 1)
  row('D', [], [], 'opaque', 'D'),
  row('D', [], ['D'], 'D'),
  row('D', [], ['A'], NO),
  row('D', [], ['X'], NO),
  // the authorization request named another API: a token for the default API was not authorized
  row('D', ['A'], [], 'opaque'),
  row('D', ['A'], ['A'], 'A'),
  row('D', ['A'], ['D'], NO),
  row('D', ['D'], [], 'opaque', 'D'),
  row('D', ['D'], ['D'], 'D'),
  row('D', ['A', 'D'], [], 'opaque', 'D'),
  row('D', ['A', 'D'], ['A'], 'A'),
  row('D', ['A', 'D'], ['D'], 'D'),
  row('D', ['A', 'D'], ['U'], NO),
  row('D', ['A', 'D'], ['D', 'A'], NO),
]

/** The default API changes between the authorization and the token request. */
export interface ChangeRow {
  readonly guarantee: string
  readonly defaultBefore: Name | 'none'
  readonly defaultAfter: Name | 'none'
  readonly asked: readonly Name[]
  readonly withoutOpenid: Outcome
}

export const CHANGE_ROWS: readonly ChangeRow[] = [
  {
    guarantee: 'the default API is that of the token request, also one that came later',
    defaultBefore: 'none',
    defaultAfter: 'D',
    asked: [],
    withoutOpenid: 'D',
  },
  {
    guarantee: 'it cannot be asked for by name: it was not authorized',
    defaultBefore: 'none',
    defaultAfter: 'D',
    asked: ['D'],
    withoutOpenid: NO,
  },
  {
    guarantee: 'the default API of the authorization can be asked for by name when it is the default no more',
    defaultBefore: 'D',
    defaultAfter: 'none',
    asked: ['D'],
    withoutOpenid: 'D',
  },
  {
    guarantee: 'without a name nothing is meant any more',
    defaultBefore: 'D',
    defaultAfter: 'none',
    asked: [],
    withoutOpenid: 'opaque',
  },
  {
    guarantee: 'the one that replaced it is meant',
    defaultBefore: 'D',
    defaultAfter: 'A',
    asked: [],
    withoutOpenid: 'A',
  },
]

/**
 * A refresh that requests fewer scopes: the scopes of the token request decide (SPEC 2.3 rule 2). D is the default API.
 */
export interface NarrowRow {
  readonly scope: string
  readonly outcome: Outcome | 'invalid_scope'
}

export const NARROW_ROWS: readonly NarrowRow[] = [
  { scope: 'openid', outcome: 'opaque' },
  { scope: 'openid read', outcome: 'opaque' },
  { scope: 'read', outcome: 'D' },
  { scope: 'offline_access', outcome: 'D' },
  { scope: 'read write', outcome: 'invalid_scope' },
  { scope: 'openid email', outcome: 'invalid_scope' },
]
