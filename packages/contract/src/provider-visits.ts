/** What routes that send users to a provider and take what they come back with have in common. */
import Type from 'typebox'

/** In the path of routes of a connector. */
export const ofConnector = { params: Type.Object({ connectorId: Type.String({ minLength: 1, maxLength: 21 }) }) }

/** Of the body of a request to begin. */
export const VisitFields = {
  state: Type.String({
    minLength: 8,
    maxLength: 512,
    description: 'A new random value, which comes back with the user',
    examples: ['kN3vQ8xT2mZ5'],
  }),
  redirectUri: Type.String({ minLength: 1, maxLength: 2048 }),
}

/** Likewise, at providers whose scopes the caller may choose. */
export const VisitScope = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!#-\\[\\]-~ ]+$',
    description: 'In place of the connector’s',
  }),
)

/** What a user came back with. @param description where it may be more than parameters of the redirect URI */
export const ConnectorData = (
  description = 'All parameters with which the browser came back, such as `code`, `state` and `iss`',
) => Type.Record(Type.String(), Type.Unknown(), { description })

/** Of both steps in an interaction. */
export const visitErrors = [
  'session.interaction_not_found',
  'session.invalid_interaction_type',
  'entity.not_exists_with_id',
  'connector.not_enabled',
  'connector.invalid_response',
] as const

/** Of the step that verifies what a user came back with, in an interaction. */
export const returnErrors = [
  ...visitErrors,
  'session.verification_session_not_found',
  'session.connector_session_not_found',
  'connector.authorization_failed',
  'connector.social_auth_code_invalid',
  'connector.social_invalid_id_token',
] as const
