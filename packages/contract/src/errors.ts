/**
 * The catalogue of Management API errors: code → status and public sentence (DECISIONS B2). A sentence may hold
 * `{name}` placeholders, filled from the error's data; nothing else of the error leaves the server.
 */
export const API_ERRORS = {
  'application.invalid_third_party_application_type': [
    400,
    'Only Traditional, SPA and Native applications can be third-party.',
  ],
  'application.invalid_type': [422, 'This is not available for applications of this type.'],
  'application.invalid_role_type': [422, 'An application can only hold roles of type MachineToMachine.'],
  'application.role_exists': [422, 'The application already holds this role.'],
  'application.secret_name_exists': [422, 'The application already has a secret with this name.'],
  'application.device_flow_native_only': [422, 'Only Native applications can use the device flow.'],
  'application.device_flow_not_changeable': [
    422,
    'Whether an application uses the device flow is decided when it is created.',
  ],
  'application.third_party_application_cannot_enable_token_exchange': [
    422,
    'A third-party application cannot enable token exchange.',
  ],
  'application.use_saml_app_api': [400, 'Applications of type SAML are created through their own API.'],
  'auth.authorization_header_missing': [401, 'The Authorization header is missing.'],
  'auth.authorization_token_type_not_supported': [401, 'The Authorization header must be of type Bearer.'],
  'auth.forbidden': [403, 'The access token does not carry the permission that this operation needs.'],
  'auth.unauthorized': [401, 'The access token is not valid for the Management API.'],
  'entity.not_exists_with_id': [404, 'There is no {entity} with the id {id}.'],
  'entity.not_found': [404, 'There is nothing at this address.'],
  'entity.relation_foreign_key_not_found': [422, 'An id in the request names nothing that exists.'],
  'entity.unique_integrity_violation': [422, 'Something with the same name or id already exists.'],
  'entity.db_constraint_violated': [422, 'The change contradicts a rule of the data.'],
  'guard.invalid_input': [400, 'The request is not valid: {reason}'],
  'guard.invalid_pagination': [400, 'The pagination parameters are not valid: {reason}'],
  'log.invalid_time_window': [400, 'start_time must be before end_time.'],
  'oidc.key_not_found': [404, 'There is no signing key with this id.'],
  'oidc.key_required': [422, 'At least one signing key must remain.'],
  'oidc.only_previous_key_can_be_deleted': [422, 'Only a key in the state Previous can be deleted.'],
  'request.body_too_large': [413, 'The request body is larger than {limit} bytes.'],
  'request.host_unknown': [421, 'No tenant is served at this host name.'],
  'request.invalid_input': [400, 'The request is not valid: {reason}'],
  'request.method_not_allowed': [405, 'This address does not support the method {method}.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'request.unavailable': [503, 'The server cannot answer right now: {reason}'],
  'request.unsupported_media_type': [415, 'The body must be {expected}.'],
  'resource.cannot_delete_management_api': [400, 'The Management API resource cannot be deleted.'],
  'resource.cannot_modify_management_api': [400, 'The Management API resource and its permissions cannot be changed.'],
  'resource.invalid_indicator': [400, 'The indicator must be an absolute URI without a fragment.'],
  'resource.resource_identifier_in_use': [422, 'An API resource with this indicator already exists.'],
  'role.application_exists': [422, 'An application already holds this role.'],
  'role.management_api_scopes_not_assignable_to_user_role': [
    400,
    'Permissions of the Management API can only be held by roles of type MachineToMachine.',
  ],
  'role.name_in_use': [422, 'A role with this name already exists.'],
  'role.scope_exists': [422, 'The role already holds this permission.'],
  'role.default_role_type': [422, 'Only roles of type User can be default roles.'],
  'scope.name_exists': [422, 'The API resource already has a permission with this name.'],
  'scope.name_with_space': [
    400,
    'A permission name is made of printable ASCII characters without space, double quote and backslash.',
  ],
  'server.error': [500, 'Something went wrong on the server. The request id finds it in the log.'],
} as const satisfies Record<string, readonly [number, string]>

export type ApiErrorCode = keyof typeof API_ERRORS
