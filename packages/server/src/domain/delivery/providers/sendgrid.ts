/** SendGrid: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
import type { Provider } from './provider.ts'

export const sendGrid: Provider = {
  id: 'sendgrid-email-service',
  type: 'Email',
  target: 'sendgrid-mail',
  name: 'SendGrid',
  description: 'Sends mail through SendGrid.',
  readme: 'Make an API key that may send mail, and verify the sender or its domain.',
  example: { apiKey: 'SG.key', fromEmail: 'no-reply@example.com', fromName: 'Example' },
  request: {
    origin: 'https://api.sendgrid.com',
    path: '/v3/mail/send',
    headers: { authorization: 'Bearer {{config.apiKey}}' },
    body: {
      personalizations: [{ to: [{ email: '{{to}}' }] }],
      from: { email: '{{fromEmail}}', name: '{{fromName}}' },
      reply_to: { email: '{{replyTo}}' },
      subject: '{{subject}}',
      content: [
        { type: 'text/plain', value: '{{text}}' },
        { type: 'text/html', value: '{{html}}' },
      ],
      headers: { 'Auto-Submitted': 'auto-generated' },
      // a link that signs in leads to us, and to no one who counts clicks
      tracking_settings: { click_tracking: { enable: false, enable_text: false }, open_tracking: { enable: false } },
    },
  },
  outcome: {
    code: '/errors/0/field',
    failures: {
      from: 'sender',
      'from.email': 'sender',
      'personalizations.0.to': 'recipient',
      'personalizations.0.to.0.email': 'recipient',
    },
  },
}
