// The plans of the OpenID Foundation's conformance suite that `npm run conformance` prepares: what the suite calls them, in which
// variant, and which configuration they take.

/** Configurations by the name of their file, `data/conformance-NAME.json`. */
export type ConfigurationName = 'dynamic' | 'fapi2' | 'fapi2-mtls' | 'logout' | 'oidc'

interface Plan {
  /** As the suite calls it. */
  readonly plan: string
  /** What is chosen in the form of a new plan, as the suite's script writes it. */
  readonly variant: string
  readonly configuration: ConfigurationName
}

const STATIC = '[server_metadata=discovery][client_registration=static_client]'
const LOGOUT = '[client_registration=static_client][response_type=code]'
const FAPI = '[openid=openid_connect][fapi_profile=plain_fapi]'
const BY_KEY = `[client_auth_type=private_key_jwt][sender_constrain=dpop]${FAPI}`
const BY_CERTIFICATE = `[client_auth_type=mtls][sender_constrain=mtls]${FAPI}`
const SIGNED = '[fapi_request_method=signed_non_repudiation][fapi_response_mode=jarm]'

export const PLANS: Readonly<Record<string, Plan>> = {
  config: { plan: 'oidcc-config-certification-test-plan', variant: '', configuration: 'oidc' },
  basic: { plan: 'oidcc-basic-certification-test-plan', variant: STATIC, configuration: 'oidc' },
  'form-post': { plan: 'oidcc-formpost-basic-certification-test-plan', variant: STATIC, configuration: 'oidc' },
  'rp-logout': { plan: 'oidcc-rp-initiated-logout-certification-test-plan', variant: LOGOUT, configuration: 'oidc' },
  'backchannel-logout': {
    plan: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: LOGOUT,
    configuration: 'logout',
  },
  dynamic: {
    plan: 'oidcc-dynamic-certification-test-plan',
    variant: '[response_type=code]',
    configuration: 'dynamic',
  },
  fapi2: { plan: 'fapi2-security-profile-final-test-plan', variant: BY_KEY, configuration: 'fapi2' },
  'fapi2-mtls': {
    plan: 'fapi2-security-profile-final-test-plan',
    variant: BY_CERTIFICATE,
    configuration: 'fapi2-mtls',
  },
  'message-signing': {
    plan: 'fapi2-message-signing-final-test-plan',
    variant: BY_KEY + SIGNED,
    configuration: 'fapi2',
  },
}
