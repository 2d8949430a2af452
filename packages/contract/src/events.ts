/**
 * The event catalogue: every type of SPEC 6.1, when it occurs, and the fields it brings beside the envelope
 * (DECISIONS K1, K2). Webhook payload schemas, the console's choices and the compile-time check of what an operation
 * may emit are read from here.
 */
import Type, { type Static, type TObject } from 'typebox'
import {
  ApplicationSummary,
  IsoTime,
  OrganizationEntity,
  OrganizationRoleEntity,
  OrganizationScopeEntity,
  RoleEntity,
  ScopeEntity,
  TrustedDeviceEntity,
  UserEntity,
} from './entities.ts'
import { JsonObject, OneOf } from './schema.ts'

interface EventDefinition {
  /** When it occurs, in the words of SPEC 6.1. */
  readonly occurs: string
  /** The event's own fields; `data` is the entity after the change, before it for deletions. */
  readonly fields: TObject
}
const event = <const D extends EventDefinition>(definition: D): D => definition

const Ids = Type.Optional(Type.Array(Type.String(), { maxItems: 5000 }))
/** Of what one event cannot hold (DECISIONS K2). */
const Parts = {
  part: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The number of this event among several for one change' }),
  ),
  parts: Type.Optional(Type.Integer({ minimum: 2 })),
}
const user = Type.Object({ data: UserEntity })
const role = Type.Object({ data: RoleEntity })
const scope = Type.Object({ data: ScopeEntity })
const organization = Type.Object({ data: OrganizationEntity })
const organizationRole = Type.Object({ data: OrganizationRoleEntity })
const organizationScope = Type.Object({ data: OrganizationScopeEntity })
const trustedDevice = Type.Object({ data: TrustedDeviceEntity })
const interaction = Type.Object({
  interactionEvent: Type.String(),
  sessionId: Type.String(),
  userIp: Type.Optional(Type.String()),
  userId: Type.String(),
  user: Type.Optional(UserEntity),
})

export const EVENTS = {
  PostRegister: event({ occurs: 'A user creates an account through the sign-up flow.', fields: interaction }),
  PostSignIn: event({ occurs: 'A user signs in through the sign-in flow.', fields: interaction }),
  PostResetPassword: event({ occurs: 'A password is reset through the forgot-password flow.', fields: interaction }),
  PostSignInAdaptiveMfaTriggered: event({
    occurs: 'A sign-in asks for a second factor because of what is unusual about it.',
    fields: Type.Object({
      ...interaction.properties,
      adaptiveMfaResult: Type.Object({
        requiresMfa: Type.Boolean(),
        triggeredRules: Type.Array(
          Type.Object({
            rule: OneOf(['new_device', 'new_country', 'geo_velocity', 'long_inactivity', 'untrusted_ip']),
            details: JsonObject,
          }),
        ),
      }),
    }),
  }),
  'User.Created': event({ occurs: 'A user is created.', fields: user }),
  'User.Deleted': event({ occurs: 'A user is deleted.', fields: user }),
  'User.Data.Updated': event({ occurs: 'User profile data changes.', fields: user }),
  'User.SuspensionStatus.Updated': event({ occurs: 'A user is suspended or reactivated.', fields: user }),
  'Role.Created': event({ occurs: 'A role is created.', fields: role }),
  'Role.Deleted': event({ occurs: 'A role is deleted.', fields: role }),
  'Role.Data.Updated': event({ occurs: 'Role name, description or default-role status changes.', fields: role }),
  'Role.Scopes.Updated': event({
    occurs: 'Permissions of a role are added or removed.',
    fields: Type.Object({
      roleId: Type.String(),
      data: Type.Array(ScopeEntity, {
        maxItems: 5000,
        description: 'Every permission that the role holds after the change; if there are `parts`, all parts combined',
      }),
      ...Parts,
    }),
  }),
  'Application.Registered': event({
    occurs: 'An application registers itself (dynamic client registration).',
    fields: Type.Object({
      data: ApplicationSummary,
      initialAccessTokenId: Type.Union([Type.String(), Type.Null()], {
        description: 'With which initial access token; null: without one',
      }),
    }),
  }),
  'Application.Unregistered': event({
    occurs: 'A registered application is deleted: by itself, or because nobody has used it.',
    fields: Type.Object({ data: ApplicationSummary, reason: OneOf(['client', 'unused']) }),
  }),
  'Scope.Created': event({ occurs: 'An API permission is created.', fields: scope }),
  'Scope.Deleted': event({ occurs: 'An API permission is deleted.', fields: scope }),
  'Scope.Data.Updated': event({ occurs: "An API permission's data changes.", fields: scope }),
  'Organization.Created': event({ occurs: 'An organization is created.', fields: organization }),
  'Organization.Deleted': event({ occurs: 'An organization is deleted.', fields: organization }),
  'Organization.Data.Updated': event({
    occurs: 'Organization name, description, custom data and so on change.',
    fields: organization,
  }),
  'Organization.Membership.Updated': event({
    occurs: 'Users or applications are added to or removed from an organization.',
    fields: Type.Object({
      organizationId: Type.String(),
      addedUserIds: Ids,
      removedUserIds: Ids,
      addedApplicationIds: Ids,
      removedApplicationIds: Ids,
      ...Parts,
    }),
  }),
  'OrganizationRole.Created': event({ occurs: 'An organization role is created.', fields: organizationRole }),
  'OrganizationRole.Deleted': event({ occurs: 'An organization role is deleted.', fields: organizationRole }),
  'OrganizationRole.Data.Updated': event({
    occurs: 'Organization role name or description changes.',
    fields: organizationRole,
  }),
  'OrganizationRole.Scopes.Updated': event({
    occurs: 'Permissions of an organization role are added or removed.',
    fields: Type.Object({
      organizationRoleId: Type.String(),
      data: Type.Array(Type.Union([OrganizationScopeEntity, ScopeEntity]), {
        maxItems: 5000,
        description:
          'Every permission that the role holds after the change: organization permissions, and API permissions, which have a resourceId; if there are `parts`, all parts combined',
      }),
      ...Parts,
    }),
  }),
  'OrganizationScope.Created': event({ occurs: 'An organization permission is created.', fields: organizationScope }),
  'OrganizationScope.Deleted': event({ occurs: 'An organization permission is deleted.', fields: organizationScope }),
  'OrganizationScope.Data.Updated': event({
    occurs: "An organization permission's data changes.",
    fields: organizationScope,
  }),
  'TrustedDevice.Created': event({
    occurs: 'A trusted-device record is created after a successful authentication interaction.',
    fields: trustedDevice,
  }),
  'TrustedDevice.Deleted': event({
    occurs: 'A user or administrator removes a trusted-device record.',
    fields: trustedDevice,
  }),
  'Identifier.Lockout': event({
    occurs: 'A user account is locked after consecutive failed verification attempts.',
    fields: Type.Object({
      type: Type.String({ examples: ['username'] }),
      value: Type.String({ description: 'The identifier of the last failed attempt, as entered' }),
      userId: Type.Optional(
        Type.String({
          description: 'The account that has it, which is locked under all its identifiers; absent if there is none',
        }),
      ),
    }),
  }),
  'Message.RateLimited': event({
    occurs: 'An end user exceeds the per-recipient send rate limit for verification codes.',
    fields: Type.Object({ action: Type.String({ examples: ['VerificationCodeSend'] }), recipient: Type.String() }),
  }),
  'Grant.LimitExceeded': event({
    occurs: "A successful authorization pushes a user past the application's maximum concurrent authenticated devices.",
    fields: Type.Object({
      userId: Type.String(),
      applicationId: Type.String(),
      revokedGrantIds: Type.Array(Type.String()),
      maxAllowedGrants: Type.Integer(),
      preRevocationActiveGrantCount: Type.Integer(),
    }),
  }),
  'BackchannelAuthentication.Requested': event({
    occurs: 'An application asks for a user without a browser (OpenID CIBA).',
    fields: Type.Object({
      userId: Type.Optional(
        Type.String({ description: 'Who is asked; absent where nobody is, and the request waits in vain' }),
      ),
      notAsked: Type.Optional(Type.String({ description: 'Why nobody is asked' })),
      applicationId: Type.String(),
      scopes: Type.Array(Type.String()),
      resources: Type.Array(Type.String()),
      bindingMessage: Type.Optional(Type.String({ description: 'What the application has the user compare' })),
      expiresAt: IsoTime,
    }),
  }),
} as const

export type EventType = keyof typeof EVENTS
/** The fields that an event of this type brings beside the envelope. */
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['fields']>

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** Those of features that do not exist yet: hooks may ask for them, and nothing causes them. */
export const NOT_CAUSED_YET: readonly EventType[] = []

/** When an event of this type occurs, for those who choose among them. */
export const occasionOf = (type: EventType): string =>
  NOT_CAUSED_YET.includes(type) ? `${EVENTS[type].occurs} Nothing causes it yet.` : EVENTS[type].occurs

const Actor = Type.Object({
  type: Type.String({ examples: ['application', 'user', 'system', 'directory'] }),
  id: Type.Optional(Type.String()),
})

/** The envelope around every event (DECISIONS K2); a webhook adds `hookId`. */
export const EventEnvelope = Type.Object({
  id: Type.String({ description: 'Stable over every delivery of this event' }),
  sequence: Type.Integer({ description: 'Position in the tenant’s commit order, without gaps' }),
  event: Type.String(),
  createdAt: IsoTime,
  ip: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
  actor: Type.Optional(Actor),
  application: Type.Optional(ApplicationSummary),
  sessionId: Type.Optional(Type.String({ description: 'The interaction in which a user caused it' })),
  applicationId: Type.Optional(Type.String({ description: 'The application that the interaction is for' })),
  cimdClientId: Type.Optional(
    Type.String({ description: 'In place of both, the id of a client that is the address of its metadata' }),
  ),
  interactionEvent: Type.Optional(
    Type.String({ description: 'What the interaction is for', examples: ['SignIn', 'Register', 'ForgotPassword'] }),
  ),
  path: Type.Optional(Type.String()),
  method: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  params: Type.Optional(JsonObject),
  matchedRoute: Type.Optional(Type.String()),
})

/** An event as the feed shows it: the envelope and the fields of its type. */
export const EventMessage = Type.Object({ ...EventEnvelope.properties }, { additionalProperties: true })

/** The complete schema of one event type: the envelope and its own fields. */
export const eventSchema = (type: EventType): TObject =>
  Type.Object({ ...EventEnvelope.properties, ...EVENTS[type].fields.properties, event: Type.Literal(type) })
