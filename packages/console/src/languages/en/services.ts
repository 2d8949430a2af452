/** What each service does to which a connector leads, in English. */
export const services = {
  'services.mail': 'Sends mail through {name}.',
  'services.sms': 'Sends text messages through {name}.',
  'services.smtp': 'Sends mail through your own mail server.',
  'services.httpMail': 'Sends mail by a request to a service of any provider, or of yours.',
  'services.httpSms': 'Sends text messages by a request to a service of any provider, or of yours.',
  'services.account': 'Signs users in with their {name} account.',
  'services.microsoft': 'Signs users in with their Microsoft account, at work, at school or personal.',
  'services.oidc': 'Signs users in at any OpenID provider.',
  'services.oauth2': 'Signs users in at any OAuth 2.0 provider that returns data of the user.',
  'services.anyIdp': 'Any identity provider that speaks {protocol}.',
  'services.entra': 'The directory of a company at Microsoft, by {protocol}.',
  'services.company': 'The accounts of a company at {name}.',
}
