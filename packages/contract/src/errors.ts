/**
 * The catalogue of Management API errors: code → status and public sentence (DECISIONS B2). A sentence may hold
 * `{name}` placeholders, filled from the error's data; nothing else of the error leaves the server.
 */
import { SIGN_IN_ERRORS } from './sign-in-errors.ts'
import { USER_ERRORS } from './user-errors.ts'

export const API_ERRORS = {
  ...SIGN_IN_ERRORS,
  ...USER_ERRORS,
  'administrator.last_owner': [
    422,
    'This is the last owner of the tenant who is not suspended: make another one first.',
  ],
  'administrator_role.built_in': [422, 'A role that is built in cannot be changed or deleted.'],
  'administrator_role.in_use': [422, 'Administrators hold this role: give them another one first.'],
  'administrator_role.name_in_use': [422, 'A role of administrators with this name already exists.'],
  'application.invalid_third_party_application_type': [
    400,
    'Only Traditional, SPA and Native applications can be third-party.',
  ],
  'application.invalid_type': [422, 'This is not available for applications of this type.'],
  'application.invalid_role_type': [422, 'An application can only hold roles of type MachineToMachine.'],
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
  'application.third_party_application_only': [422, 'This is available for third-party applications only.'],
  'application.access_control_empty': [422, 'The access rules would admit no user: {reason}'],
  'application.user_consent_scopes_not_found': [422, 'A scope in the request does not exist.'],
  'application.consent_management_api_scopes_not_allowed': [
    422,
    'Third-party applications cannot ask for permissions of the Management API.',
  ],
  'application.saml.acs_url_binding_not_supported': [422, 'Responses are sent by the HTTP-POST binding only.'],
  'application.saml.acs_url_scheme_not_supported': [
    422,
    'This address must begin with https:// (or http:// and a loopback host): {url}',
  ],
  'application.saml.can_not_delete_active_secret': [422, 'The active key cannot be deleted.'],
  'application.saml.invalid_certificate_pem_format': [422, 'This is not an X.509 certificate in PEM: {reason}'],
  'application.saml.reach_limit': [422, 'A SAML application has at most {limit} keys.'],
  'application.saml.saml_application_only': [422, 'This is available for SAML applications only.'],
  'application.saml.use_saml_app_api': [400, 'Applications of type SAML are managed through their own API.'],
  'auth.authorization_header_missing': [401, 'The Authorization header is missing.'],
  'auth.authorization_token_type_not_supported': [401, 'The Authorization header must be of type Bearer or DPoP.'],
  'auth.dpop_nonce_required': [401, 'The DPoP proof must carry the nonce of the header DPoP-Nonce.'],
  'auth.dpop_proof_invalid': [401, 'The DPoP proof is not valid: {reason}.'],
  'auth.forbidden': [403, 'The access token does not carry the permission that this operation needs.'],
  'auth.step_up_required': [401, 'This needs a recent sign-in: sign in again and repeat the request.'],
  'auth.third_party_application_forbidden': [403, 'Third-party applications can read an account and not change it.'],
  'auth.token_not_held': [401, 'The access token cannot be used like this: {reason}.'],
  'auth.unauthorized': [401, 'The access token is not valid for this API.'],
  'authorization_details.invalid_schema': [400, 'The schema {reason}.'],
  'authorization_details.invalid_template': [
    400,
    'The sentence for {language} has a brace that does not belong to the name of a member.',
  ],
  'authorization_details.too_many_types': [422, 'A tenant has at most {limit} types of authorization details.'],
  'authorization_details.type_exists': [422, 'A type of authorization details with this name already exists.'],
  'connector.authorization_failed': [401, 'The provider has not let the user in.'],
  'connector.can_not_modify_target': [400, 'The target of a connector cannot be changed.'],
  'connector.general': [400, 'The message could not be sent: {reason}'],
  'connector.invalid_response': [502, 'The provider could not be reached, or its answer cannot be used.'],
  'connector.invalid_type_for_syncing_profile': [422, 'Only social connectors have profiles.'],
  'connector.multiple_target_with_same_platform': [422, 'There is already a connector with the target {target}.'],
  'connector.not_enabled': [400, 'This connector is not offered at sign-in.'],
  'connector.not_found': [501, 'There is no connector for messages of this kind.'],
  'connector.not_found_with_connector_id': [422, 'There is no connector factory with the id {id}.'],
  'connector.should_specify_target': [400, 'A connector for a standard needs a target in its metadata.'],
  'connector.social_auth_code_invalid': [401, 'The provider has not accepted the code.'],
  'connector.social_invalid_id_token': [401, 'The ID token of the provider is not valid here.'],
  'connector.token_storage_not_supported': [422, 'Only social connectors have tokens that could be kept.'],
  'connector.unexpected_type': [400, 'This is not possible with a connector of this type.'],
  'custom_profile_fields.conflicted_sie_order': [400, 'Two fields would have the same place.'],
  'custom_profile_fields.entity_not_exists_with_names': [400, 'There are no fields with these names: {names}'],
  'custom_profile_fields.invalid_address_components': [
    400,
    'An Address has parts of an address, each once, and one of them enabled.',
  ],
  'custom_profile_fields.invalid_default_value': [400, 'The default value of a Checkbox is true or false.'],
  'custom_profile_fields.invalid_fullname_components': [
    400,
    'A Fullname has parts of a name, each once, and one of them enabled.',
  ],
  'custom_profile_fields.invalid_min_max_input': [400, 'The minimum is greater than the maximum.'],
  'custom_profile_fields.invalid_name': [400, 'The name of a field consists of letters and digits.'],
  'custom_profile_fields.invalid_options': [400, 'A Select has at least one option, and each value once.'],
  'custom_profile_fields.invalid_regex_format': [
    400,
    'A Regex has an expression in RE2 syntax, which has neither look-around nor back references.',
  ],
  'custom_profile_fields.invalid_sub_component_type': [400, 'Parts are of type Text, Select or Regex.'],
  'custom_profile_fields.name_conflict_built_in_prop': [400, 'Users have {name} already, and it takes no such field.'],
  'custom_profile_fields.name_conflict_sign_in_identifier': [
    400,
    '{name} is what users sign in with, and no field of their profile.',
  ],
  'custom_profile_fields.name_exists': [400, 'There is a field with this name already.'],
  'custom_profile_fields.name_required': [400, 'A field needs a name.'],
  'entity.not_exists_with_id': [404, 'There is no {entity} with the id {id}.'],
  'entity.not_found': [404, 'There is nothing at this address.'],
  'entity.relation_foreign_key_not_found': [422, 'An id in the request does not exist.'],
  'entity.unique_integrity_violation': [422, 'Something with the same name or id already exists.'],
  'entity.db_constraint_violated': [422, 'The change violates a data constraint.'],
  'guard.file_size_exceeded': [400, 'The file is larger than {limit} bytes.'],
  'guard.invalid_input': [400, 'The request is not valid: {reason}'],
  'guard.invalid_pagination': [400, 'The pagination parameters are not valid: {reason}'],
  'guard.mime_type_not_allowed': [400, 'The type of the file must be one of: {allowed}.'],
  'declaration.invalid': [422, 'The file is refused: {reason}'],
  'declaration.not_writable': [422, 'The tenant cannot be written as a file: {reason}'],
  'impersonation.refused': [422, 'The user cannot be acted as in this way: {reason}.'],
  'jwt_customizer.general': [422, 'The script failed: {reason}'],
  'hook.disabled': [422, 'The hook is disabled; enable it first.'],
  'hook.endpoint_responded_with_error': [422, 'The receiver answered {responseStatus}.'],
  'hook.invalid_url': [400, 'The URL of a hook must be http or https, without user information and fragment.'],
  'hook.insecure_url': [
    400,
    'The URL of a hook must be https; http is allowed only for the server’s own machine and for hosts in OUTBOUND_ALLOW.',
  ],
  'hook.missing_events': [400, 'A hook needs at least one event.'],
  'hook.reserved_header': [400, 'The server sets the header {name} itself.'],
  'hook.send_test_payload_failed': [422, 'There was no answer: {reason}.'],
  'hook.too_many_events': [422, 'These are more than {limit} events; choose a shorter period.'],
  'localization.cannot_delete_default_language': [
    409,
    'These phrases are all that the pages have in the fallback language. Choose another fallback language first.',
  ],
  'localization.invalid_translation_structure': [400, 'The phrase “{key}” cannot be stored: {reason}.'],
  'log.invalid_time_window': [400, 'start_time must be before end_time.'],
  'oidc.key_not_found': [404, 'There is no signing key with this id.'],
  'oidc.session_not_found': [404, 'There is no session with this id.'],
  'oidc.invalid_session_account_id': [404, 'The session belongs to another user.'],
  'oidc.only_previous_key_can_be_deleted': [422, 'Only a key in the state Previous can be deleted.'],
  'organization.invitation_not_pending': [422, 'The invitation is {status} and can no longer be changed.'],
  'organization.invitation_wrong_user': [422, 'acceptedUserId must be the user who has the invited email address.'],
  'organization.invitee_is_member': [422, 'The user with this email address is already a member.'],
  'organization.require_membership': [422, 'The user or application is not a member of the organization.'],
  'organization.role_names_not_found': [422, 'There is no organization role with this name.'],
  'request.body_too_large': [413, 'The request body is larger than {limit} bytes.'],
  'request.feature_not_supported': [422, 'The server does not support this yet: {feature}'],
  'request.host_unknown': [421, 'No tenant is served at this host name.'],
  'request.invalid_input': [400, 'The request is not valid: {reason}'],
  'request.method_not_allowed': [405, 'This address does not support the method {method}.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'request.message_rate_limited': [429, 'Too many messages were sent to this recipient. Try again later.'],
  'request.precondition_failed': [412, 'This was changed in the meantime: read it again.'],
  'request.rate_limited': [429, 'There were too many attempts from this address. Try again later.'],
  'request.too_slow': [408, 'The body did not arrive within {seconds} seconds.'],
  'request.unavailable': [503, 'The server cannot respond right now: {reason}'],
  'request.unsupported_media_type': [415, 'The body must be {expected}.'],
  'resource.cannot_delete_management_api': [400, 'The Management API resource cannot be deleted.'],
  'resource.cannot_modify_management_api': [400, 'The Management API resource and its permissions cannot be changed.'],
  'resource.invalid_indicator': [
    400,
    'The indicator must be an absolute URI without a fragment, and not one that is reserved for organizations.',
  ],
  'resource.resource_identifier_in_use': [422, 'An API resource with this indicator already exists.'],
  'role.application_exists': [422, 'An application already holds this role.'],
  'role.management_api_scopes_not_assignable_to_user_role': [
    400,
    'Permissions of the Management API can only be held by roles of type MachineToMachine.',
  ],
  'role.user_exists': [422, 'A user already holds this role.'],
  'role.name_in_use': [422, 'A role with this name already exists.'],
  'role.scope_exists': [422, 'The role already holds this permission.'],
  'role.default_role_missing': [422, 'No role of type MachineToMachine holds the requested permission.'],
  'role.default_role_type': [422, 'Only roles of type User can be default roles.'],
  'scope.name_exists': [422, 'The API resource already has a permission with this name.'],
  'scope.name_with_space': [
    400,
    'A permission name consists of printable ASCII characters other than space, double quote and backslash.',
  ],
  'server.error': [500, 'Something went wrong on the server. Look for the request id in the log.'],
  'single_sign_on.can_not_delete_active_signing_key': [
    400,
    'The key is active. Activate another or deactivate this one first.',
  ],
  'single_sign_on.connector_of_organization': [422, 'These connectors belong to another organization: {ids}'],
  'single_sign_on.domain_in_use': [422, 'Others sign in with addresses at this domain.'],
  'single_sign_on.domain_not_verified': [
    422,
    'The organization has to prove that these domains are its own: {domains}',
  ],
  'single_sign_on.domain_record_not_found': [
    422,
    'The TXT record {name} with the value {value} was not found: {reason}',
  ],
  'single_sign_on.duplicate_connector_name': [409, 'There is already an SSO connector with this name.'],
  'single_sign_on.duplicated_domains': [422, 'A domain is named twice: {domains}'],
  'single_sign_on.forbidden_domains': [422, 'Everyone can have an address there: {domains}'],
  'single_sign_on.invalid_domain_format': [422, 'These are not domain names: {domains}'],
  'single_sign_on.idp_initiated_authentication_invalid_application_type': [
    400,
    'Only applications of these types that are not third-party can be signed in to like this: {types}',
  ],
  'single_sign_on.idp_initiated_authentication_not_supported': [
    400,
    'Only at SAML connectors can identity providers begin a sign-in.',
  ],
  'single_sign_on.idp_initiated_authentication_redirect_uri_not_registered': [
    400,
    'The application has not registered this redirect URI, or has none.',
  ],
  'single_sign_on.reach_limit': [422, 'An organization can have {limit} of these.'],
  'single_sign_on.sso_signing_unavailable': [400, 'Only SAML connectors have signing keys.'],
  'storage.not_configured': [400, 'No storage for uploads is configured.'],
  'storage.upload_error': [500, 'The file could not be stored. The log has the cause under the request id.'],
  'subject_token.context_too_large': [413, 'The context is larger than {limit} bytes.'],
  'subject_token.user_suspended': [422, 'The user is suspended.'],
} as const satisfies Record<string, readonly [number, string]>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Codes that say two things, as in the reference: the status of the other. */
const OTHER_STATUS: Partial<Record<ApiErrorCode, number>> = {
  // what a change uses up, where otherwise it is what the request is about
  'verification_record.not_found': 400,
  // the script denied access, where otherwise it failed
  'jwt_customizer.general': 403,
  // an interaction cannot be switched to what is off, where otherwise it cannot begin as that
  'user.sign_in_method_not_enabled': 403,
  'user.sign_up_method_not_enabled': 403,
}

/** The statuses that an error of this code can have, the usual one first. */
export const statusesOf = (code: ApiErrorCode): readonly number[] => {
  const [usual] = API_ERRORS[code]
  const other = OTHER_STATUS[code]
  return other === undefined ? [usual] : [usual, other]
}
