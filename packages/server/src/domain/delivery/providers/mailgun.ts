/** Mailgun: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
import type { Provider } from './provider.ts'

export const mailgun: Provider = {
  id: 'mailgun-email',
  type: 'Email',
  target: 'mailgun-email',
  name: 'Mailgun',
  description: 'Sends mail through Mailgun.',
  readme: 'Make a sending key of your domain. Of a domain in the EU, endpoint is https://api.eu.mailgun.net.',
  example: { domain: 'mg.example.com', apiKey: 'key', from: 'Example <no-reply@mg.example.com>' },
  request: {
    origin: 'https://api.mailgun.net',
    path: '/v3/{{config.domain}}/messages',
    basic: { user: 'api', password: '{{config.apiKey}}' },
    contentType: 'application/x-www-form-urlencoded',
    body: {
      from: '{{from}}',
      to: '{{to}}',
      subject: '{{subject}}',
      text: '{{text}}',
      html: '{{html}}',
      'h:Reply-To': '{{replyTo}}',
      'h:Auto-Submitted': 'auto-generated',
      // a link that signs in leads to us, and to no one who counts clicks
      'o:tracking': 'no',
    },
  },
  outcome: {},
}
