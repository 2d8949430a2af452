/** Twilio: https://www.twilio.com/docs/messaging/api/message-resource */
import type { Provider } from './provider.ts'

export const twilio: Provider = {
  id: 'twilio-short-message-service',
  type: 'Sms',
  target: 'twilio-sms',
  name: 'Twilio SMS',
  description: 'Sends text messages through Twilio.',
  readme: 'Take the account SID and the auth token from the console, and the SID of a messaging service with a sender.',
  example: {
    accountSID: 'AC00000000000000000000000000000000',
    authToken: 'token',
    fromMessagingServiceSID: 'MG00000000000000000000000000000000',
  },
  request: {
    origin: 'https://api.twilio.com',
    path: '/2010-04-01/Accounts/{{config.accountSID}}/Messages.json',
    basic: { user: '{{config.accountSID}}', password: '{{config.authToken}}' },
    contentType: 'application/x-www-form-urlencoded',
    body: { To: '{{to}}', MessagingServiceSid: '{{config.fromMessagingServiceSID}}', Body: '{{text}}' },
  },
  outcome: {
    code: '/code',
    failures: {
      20003: 'login',
      20429: 'limit',
      21211: 'recipient',
      21212: 'sender',
      21408: 'sender',
      21606: 'sender',
      21610: 'recipient',
      21612: 'recipient',
      21614: 'recipient',
      21617: 'message',
      21703: 'sender',
      21704: 'sender',
    },
  },
}
