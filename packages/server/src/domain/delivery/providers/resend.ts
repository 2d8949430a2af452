/** Resend: https://resend.com/docs/api-reference/emails/send-email and /docs/api-reference/errors */
import type { Provider } from './provider.ts'

export const resend: Provider = {
  id: 'resend-email',
  type: 'Email',
  target: 'resend-email',
  name: 'Resend',
  description: 'Sends mail through Resend.',
  readme: 'Make an API key that may send, and verify the domain of the sender.',
  example: { apiKey: 're_key', fromEmail: 'Example <no-reply@example.com>' },
  request: {
    origin: 'https://api.resend.com',
    path: '/emails',
    headers: { authorization: 'Bearer {{config.apiKey}}', 'idempotency-key': '{{id}}' },
    body: {
      from: '{{from}}',
      to: ['{{to}}'],
      reply_to: '{{replyTo}}',
      subject: '{{subject}}',
      text: '{{text}}',
      html: '{{html}}',
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  },
  outcome: {
    code: '/name',
    failures: {
      concurrent_idempotent_requests: 'limit',
      daily_quota_exceeded: 'limit',
      invalid_api_key: 'login',
      invalid_from_address: 'sender',
      missing_api_key: 'login',
      rate_limit_exceeded: 'limit',
      restricted_api_key: 'login',
    },
  },
}
