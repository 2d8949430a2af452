/** The names of SAML 2.0 that this server writes and reads: namespaces, status codes, classes of authentication. */

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
export const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status'
/** Saml2-core section 3.2.2.2: whose fault it is, and what it is. */
export const STATUSES = {
  Success: `${STATUS}:Success`,
  Requester: `${STATUS}:Requester`,
  Responder: `${STATUS}:Responder`,
  AuthnFailed: `${STATUS}:AuthnFailed`,
  InvalidNameIDPolicy: `${STATUS}:InvalidNameIDPolicy`,
  NoAuthnContext: `${STATUS}:NoAuthnContext`,
  NoPassive: `${STATUS}:NoPassive`,
  PartialLogout: `${STATUS}:PartialLogout`,
  RequestDenied: `${STATUS}:RequestDenied`,
  UnknownPrincipal: `${STATUS}:UnknownPrincipal`,
  UnsupportedBinding: `${STATUS}:UnsupportedBinding`,
} as const

export interface Status {
  readonly code: 'Success' | 'Requester' | 'Responder'
  readonly detail?: Exclude<keyof typeof STATUSES, 'Success' | 'Requester' | 'Responder'>
  /** For the developers of the application, in English. */
  readonly message?: string
}

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes'
export const PASSWORD_CLASS = `${CLASSES}:PasswordProtectedTransport`
export const UNSPECIFIED_CLASS = `${CLASSES}:unspecified`
/** What REFEDS and its members mean by several factors. */
export const MFA_CLASS = 'https://refeds.org/profile/mfa'

/** Classes that any sign-in at this server meets: one factor, over TLS. */
export const SINGLE_FACTOR_CLASSES: ReadonlySet<string> = new Set([
  UNSPECIFIED_CLASS,
  `${CLASSES}:Password`,
  PASSWORD_CLASS,
  'https://refeds.org/profile/sfa',
])
/** Classes that several factors meet. */
export const MULTI_FACTOR_CLASSES: ReadonlySet<string> = new Set([
  MFA_CLASS,
  `${CLASSES}:TimeSyncToken`,
  `${CLASSES}:MobileTwoFactorContract`,
  'http://schemas.microsoft.com/claims/multipleauthn',
])
