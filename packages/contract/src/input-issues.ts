/**
 * What may be wrong with one member of a request: code → English sentence. `guard.invalid_input` has them in `data.issues`, each with its
 * `path` (a JSON pointer into the body, RFC 6901), an English `reason`, the `code`, and the values that its sentence has in braces.
 * Callers in another language say the same by code and values. An issue without a code has its reason only; one of a profile field
 * has the names of the `field` and its `part` in place of path and reason.
 */
export const INPUT_ISSUES = {
  missing: 'This is missing.',
  empty: 'This cannot be empty.',
  too_short: 'This needs at least {limit} characters.',
  too_long: 'This can have {limit} characters at most.',
  too_few: 'This needs at least {limit} entries.',
  too_many: 'This can have {limit} entries at most.',
  too_small: 'The least value is {limit}.',
  too_large: 'The greatest value is {limit}.',
  duplicate: 'The same is there twice.',
  pattern: 'This is not written as it has to be.',
  option: 'This has to be one of: {allowed}.',
  type: 'This is a value of another kind than is needed here.',
  text: 'This has to be a text.',
  date: 'This is no date, or it is not written as it has to be.',
  number: 'This has to be a number.',
  integer: 'This has to be a whole number.',
  unknown: 'There is no such setting.',
  url: 'This has to be an http or https address.',
  email: 'This is not an email address.',
  domain: 'This is not a domain name: {value}',
  origin: 'This is not an origin, such as https://app.example.com.',
  past: 'This has to be in the future.',
  order: 'The minimum is greater than the maximum.',
  keys_missing: 'This needs the public keys of the application, or the address of them.',
  keys_twice: 'Either keys or the address of keys can be set, not both.',
  key_private: 'Key {number} has its private part: send the public key only.',
  key_unusable:
    'Key {number} cannot be used: RSA of at least 2048 bits, P-256, P-384, Ed25519 and keys for encryption can.',
  uri_characters: 'This has a character that no address can have.',
  uri_incomplete: 'This is not a complete address.',
  uri_fragment: 'An address cannot have a fragment (#) here.',
  uri_user: 'An address cannot have a user name or a password here.',
  uri_scheme: 'Addresses that begin like this are not allowed.',
  uri_host: 'The host of the address is not written in its usual form.',
  uri_not_https: 'The address has to begin with https://; http:// is for this machine only, such as http://localhost.',
  uri_private_scheme: 'A private scheme needs a dot, such as com.example.app:/callback.',
  uri_wildcard: 'An address cannot have a wildcard (*) here.',
  sector_unlisted: 'The document at this address does not list {uri}.',
  sector_missing: 'This is needed where redirect URIs have different hosts.',
  css_tag: 'Styles cannot have “</” in them.',
} as const

export type InputIssueCode = keyof typeof INPUT_ISSUES

/** An issue as `data.issues` has it, with the values of its sentence beside the code. */
export interface InputIssue {
  /** JSON pointer (RFC 6901) into the body. */
  readonly path: string
  /** In English, after the name of the member. */
  readonly reason: string
  readonly code?: InputIssueCode
  readonly [value: string]: unknown
}
