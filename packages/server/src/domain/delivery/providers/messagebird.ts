/** MessageBird (Bird): https://developers.messagebird.com/api/sms-messaging/ */
import type { Provider } from './provider.ts'

export const messageBird: Provider = {
  id: 'messagebird-short-message-service',
  type: 'Sms',
  target: 'messagebird-sms',
  name: 'MessageBird SMS',
  description: 'Sends text messages through MessageBird (Bird).',
  readme: 'Take a live access key from the dashboard, and a number or a name that you may send as.',
  example: { accessKey: 'key', originator: 'Example' },
  request: {
    origin: 'https://rest.messagebird.com',
    path: '/messages',
    headers: { authorization: 'AccessKey {{config.accessKey}}' },
    body: {
      originator: '{{config.originator}}',
      recipients: ['{{digits}}'],
      body: '{{text}}',
      datacoding: 'auto',
      reference: '{{id}}',
    },
  },
  outcome: {
    code: '/errors/0/code',
    failures: { 2: 'login', 9: 'message', 10: 'recipient', 21: 'message', 25: 'limit', 99: 'fault', 101: 'message' },
  },
}
