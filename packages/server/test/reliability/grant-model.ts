/**
 * What must be alive, as briefly as possible: a model of sessions, grants and tokens that knows nothing of the server
 * except SPEC 3 and DECISIONS F3, F6, G3, G4, G5, N9. Seconds since the start; values as the server returned them.
 */
export type Kind = 'public' | 'confidential' | 'confidential, rotating'

const HOUR = 3600
const DAY = 86_400
const REFRESH = 14 * DAY
const RETRY = 10
const CODE = 60

export interface User {
  readonly id: string
  readonly username: string
  password: string
  exists: boolean
  isSuspended: boolean
  /** Holds the one role, and with it the one permission. */
  isHolder: boolean
  session: Session | undefined
}
export interface App {
  readonly id: string
  readonly secret: string | undefined
  readonly kind: Kind
  exists: boolean
}
export interface Session {
  isAlive: boolean
  readonly expires: number
}
export interface Grant {
  readonly user: User
  readonly app: App
  session: Session | undefined
  isOffline: boolean
  isAlive: boolean
  expires: number
}
/** The result of an authorization: it ends with its session, unless it was offline. */
export interface Authorized {
  readonly grant: Grant
  readonly isOffline: boolean
  readonly session: Session
}
export interface Code extends Authorized {
  readonly value: string
  /** Whether the permission was held at the authorization. */
  readonly isGranted: boolean
  readonly expires: number
  isSpent: boolean
  jwt: Access | undefined
}
export interface Family extends Authorized {
  readonly isGranted: boolean
  /** By generation. */
  readonly tokens: string[]
  rotated: number
  expires: number
}
export interface Access extends Authorized {
  readonly value: string
  readonly kind: 'opaque' | 'JWT'
  readonly expires: number
  isRevoked: boolean
}

export class Model {
  now = 0
  readonly users: readonly User[]
  readonly apps: readonly App[]
  readonly grants: Grant[] = []
  readonly codes: Code[] = []
  readonly families: Family[] = []
  readonly access: Access[] = []

  constructor(users: readonly User[], apps: readonly App[]) {
    this.users = users
    this.apps = apps
  }

  sessionOf({ session }: User): Session | undefined {
    return session?.isAlive && session.expires > this.now ? session : undefined
  }

  signedIn(user: User): Session {
    user.session = { isAlive: true, expires: this.now + 14 * DAY }
    return user.session
  }

  /** One grant for each session and application. */
  authorized(user: User, app: App, session: Session, isOffline: boolean, value: string): void {
    let grant = this.grants.find((each) => each.isAlive && each.session === session && each.app === app)
    if (!grant) {
      grant = { user, app, session, isOffline, isAlive: true, expires: 0 }
      this.grants.push(grant)
    }
    grant.isOffline ||= isOffline
    grant.expires = this.now + 180 * DAY
    const code = { value, grant, isOffline, session, isGranted: user.isHolder, expires: this.now + CODE }
    this.codes.push({ ...code, isSpent: false, jwt: undefined })
  }

  issued({ grant, isOffline, session }: Authorized, kind: Access['kind'], value: string): Access {
    const access = { value, kind, grant, isOffline, session, expires: this.now + HOUR, isRevoked: false }
    this.access.push(access)
    return access
  }

  begun({ grant, isOffline, session, isGranted }: Code, value: string): void {
    this.families.push({
      grant,
      isOffline,
      session,
      isGranted,
      tokens: [value],
      rotated: this.now,
      expires: this.now + REFRESH,
    })
  }

  /** The result of a refresh with a token of this generation. */
  refreshing(family: Family, generation: number): 'moves on' | 'stays' | 'same successor' | 'ends it' | 'nothing' {
    const { grant, tokens } = family
    if (!grant.isAlive || !grant.app.exists || family.expires <= this.now) return 'nothing'
    if (generation === tokens.length - 1) return grant.app.kind === 'confidential' ? 'stays' : 'moves on'
    if (generation === tokens.length - 2 && this.now - family.rotated <= RETRY) return 'same successor'
    return 'ends it'
  }

  rotated(family: Family, value: string): void {
    family.tokens.push(value)
    family.rotated = this.now
    if (family.grant.app.kind !== 'public') family.expires = Math.min(this.now + REFRESH, family.grant.expires)
  }

  /** Whether the authorization is still valid: its own grant, and its session unless it was offline. */
  stands({ grant, isOffline, session }: Authorized): boolean {
    if (!grant.isAlive || grant.expires <= this.now) return false
    return isOffline || (session.isAlive && session.expires > this.now)
  }

  isFamilyAlive(family: Family): boolean {
    return this.stands(family) && family.expires > this.now
  }

  isAccessAlive(access: Access): boolean {
    return access.expires > this.now && !access.isRevoked && this.stands(access)
  }

  /** Everything of the user ends; JWTs stay valid for APIs that only verify them. */
  endUser(user: User): void {
    if (user.session) user.session.isAlive = false
    for (const grant of this.grants) if (grant.user === user) grant.isAlive = false
  }

  /** Grants with offline_access outlive the session, the others end with it. */
  endSession(session: Session): void {
    session.isAlive = false
    for (const grant of this.grants) {
      if (!grant.isAlive || grant.session !== session) continue
      if (grant.isOffline) grant.session = undefined
      else grant.isAlive = false
    }
  }
}
