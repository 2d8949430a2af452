/** Vonage: https://developer.vonage.com/en/api/sms, which answers 200 for failures too. */
import type { Provider } from './provider.ts'

export const vonage: Provider = {
  id: 'vonage-sms',
  type: 'Sms',
  target: 'vonage-sms',
  name: 'Vonage SMS',
  description: 'Sends text messages through Vonage.',
  readme: 'Take the API key and the API secret from the dashboard, and a number or a brand name that you may send as.',
  example: { apiKey: 'key', apiSecret: 'secret', brandName: 'Example' },
  request: {
    origin: 'https://rest.nexmo.com',
    path: '/sms/json',
    contentType: 'application/x-www-form-urlencoded',
    body: {
      api_key: '{{config.apiKey}}',
      api_secret: '{{config.apiSecret}}',
      from: '{{config.brandName}}',
      to: '{{digits}}',
      text: '{{text}}',
      type: '{{unicode}}',
    },
  },
  outcome: {
    success: { place: '/messages/0/status', values: ['0'] },
    code: '/messages/0/status',
    failures: {
      1: 'limit',
      2: 'message',
      3: 'message',
      4: 'login',
      5: 'fault',
      6: 'recipient',
      7: 'recipient',
      8: 'login',
      9: 'limit',
      10: 'limit',
      11: 'login',
      12: 'message',
      14: 'login',
      15: 'sender',
      22: 'recipient',
      29: 'recipient',
      33: 'recipient',
    },
  },
}
