/** Postmark: https://postmarkapp.com/developer/api/email-api and /developer/api/overview for its error codes. */
import type { Provider } from './provider.ts'

export const postmark: Provider = {
  id: 'postmark-mail',
  type: 'Email',
  target: 'postmark-mail',
  name: 'Postmark',
  description: 'Sends mail through Postmark.',
  readme: 'Take the API token of your server, and confirm the sender or its domain.',
  example: { serverToken: 'token', fromEmail: 'Example <no-reply@example.com>' },
  request: {
    origin: 'https://api.postmarkapp.com',
    path: '/email',
    headers: { accept: 'application/json', 'x-postmark-server-token': '{{config.serverToken}}' },
    body: {
      From: '{{from}}',
      To: '{{to}}',
      ReplyTo: '{{replyTo}}',
      Subject: '{{subject}}',
      TextBody: '{{text}}',
      HtmlBody: '{{html}}',
      MessageStream: '{{config.messageStream}}',
      Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      // a link that signs in leads to us, and to no one who counts clicks
      TrackOpens: false,
      TrackLinks: 'None',
    },
  },
  outcome: {
    success: { place: '/ErrorCode', values: ['0'] },
    code: '/ErrorCode',
    failures: {
      10: 'login',
      100: 'fault',
      300: 'message',
      400: 'sender',
      401: 'sender',
      405: 'limit',
      406: 'recipient',
      412: 'sender',
      413: 'login',
      429: 'limit',
    },
  },
}
