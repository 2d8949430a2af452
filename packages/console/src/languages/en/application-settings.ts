/** Phrases of the settings of an application: credentials, exchange, look, who may use it, consent. */
export const applicationSettings = {
  'application.tab.look': 'Branding',
  'tokens.maxAllowedGrants': 'Devices per user',
  'tokens.maxAllowedGrants.hint': 'A sign-in on a further one signs the oldest out. Empty: any number.',
  'tokens.algorithm': 'Algorithm of ID tokens',
  'tokens.algorithmOfTenant': 'That of the current key',

  'refused.title': 'Add this address?',
  'refused.text':
    'Users are sent there with their codes after they sign in. Anyone can cause this entry by opening a link, so add only an address that you know is yours.',
  'refused.address': 'Address',
  'refused.count': 'Refused requests',
  'refused.last': 'Last one',
  'refused.from': 'From IP address',

  'signOut.title': 'Back-channel logout',
  'signOut.text': 'The application is told when a session ends elsewhere.',
  'signOut.uri': 'Back-channel logout URI',
  'signOut.uriHint': 'Gets a signed logout token by POST. Empty: it is not told.',

  'customData.title': 'Custom data',
  'customData.text': 'Kept for your own programs. The server never reads it.',

  'authentication.title': 'Authentication',
  'authentication.text': 'How the application proves who it is at the token endpoint.',
  'authentication.method': 'Method',
  'authentication.client_secret_basic': 'Secret, in a header (Basic)',
  'authentication.client_secret_post': 'Secret, in the body (POST)',
  'authentication.private_key_jwt': 'Private key (JWT)',
  'authentication.keys': 'Public keys',
  'authentication.keysHint':
    'A JSON Web Key Set with RSA, P-256, P-384 or Ed25519 keys. The private keys stay with the application.',

  'exchange.title': 'Token exchange',
  'exchange.text':
    'Services act for users, or call further APIs on their behalf, with a token in exchange for another.',
  'exchange.only': 'Only these',
  'exchange.subjects': 'Takes tokens for',
  'exchange.anyApi': 'Any API',
  'exchange.targets': 'Gets tokens for',
  'exchange.anyTarget': 'Any API but the Management API',

  'introspection.title': 'Introspection',
  'introspection.text': 'An API asks whether a token that it was sent is valid.',
  'introspection.apis': 'May introspect tokens for',
  'introspection.every': 'Every API: all tokens of this tenant',

  'look.title': 'On the sign-in pages',
  'look.text': 'What is empty looks as for all applications.',
  'look.displayName': 'Display name',
  'look.displayNameHint': 'What users see in place of the name.',
  'look.thirdParty': 'Terms and privacy policy of a third party are shown where users are asked for consent.',
  'look.dark.tenant': 'As for all applications',
  'look.dark.true': 'On',
  'look.dark.false': 'Off',
}
