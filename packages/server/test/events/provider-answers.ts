/** What each provider documents: a configuration, the request that it wants, and answers of success and failure. */
import type { MessageKind } from '@countersign/contract/connector-configs.ts'
import { expect } from 'vitest'
import type { ProviderReply } from './provider-server.ts'

/** Stands in every answer of a failure below where providers repeat what they were sent. */
export const SECRET = 'opensesame-key'

export interface Documented {
  readonly kind: MessageKind
  readonly config: object
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  /** What the body holds among others. */
  readonly body: Readonly<Record<string, unknown>>
  readonly taken: ProviderReply
  readonly refused: readonly (readonly [kind: string, reply: ProviderReply])[]
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
/** Of a number of its own for each test. */
const PHONE = expect.stringMatching(/^\+49309018\d{4}$/)
const DIGITS = expect.stringMatching(/^49309018\d{4}$/)
const FROM = 'Example <no-reply@mail.example>'
const subject = 'Your verification code'

const twilioError = (status: number, code: number) => ({
  status,
  body: { code, message: `no: ${SECRET} 123456`, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})
const vonageStatus = (status: string) => ({
  status: 200,
  body: { 'message-count': '1', messages: [{ status, 'error-text': `no: ${SECRET} 123456` }] },
})
const snsError = (status: number, code: string) => ({
  status,
  body: `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>no: ${SECRET} 123456</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
})
const birdError = (status: number, code: number) => ({
  status,
  body: { errors: [{ code, description: `no: ${SECRET} 123456`, parameter: 'recipients' }] },
})
const gridError = (status: number, field: string | null) => ({
  status,
  body: { errors: [{ message: `no: ${SECRET} 123456`, field, help: null }] },
})
const postmarkError = (status: number, code: number) => ({
  status,
  body: { ErrorCode: code, Message: `no: ${SECRET} 123456` },
})
const sesError = (status: number, type: string) => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` },
  body: { message: `no: ${SECRET} 123456` },
})
const resendError = (status: number, name: string) => ({
  status,
  body: { statusCode: status, name, message: `no: ${SECRET} 123456` },
})

export const DOCUMENTED: readonly Documented[] = [
  {
    kind: 'twilio-short-message-service',
    config: { accountSID: 'AC1', authToken: SECRET, fromMessagingServiceSID: 'MG1' },
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    headers: { authorization: basic('AC1', SECRET) },
    body: { To: PHONE, MessagingServiceSid: 'MG1', Body: expect.stringContaining('123456') },
    taken: { status: 201, body: { sid: 'SM1', status: 'accepted', error_code: null } },
    refused: [
      ['recipient', twilioError(400, 21211)],
      ['recipient', twilioError(400, 21610)],
      ['sender', twilioError(400, 21606)],
      ['login', twilioError(401, 20003)],
      ['limit', twilioError(429, 20429)],
      ['fault', { status: 503, body: 'Service Unavailable' }],
    ],
  },
  {
    kind: 'vonage-sms',
    config: { apiKey: 'key', apiSecret: SECRET, brandName: 'Example' },
    path: '/sms/json',
    headers: {},
    body: {
      api_key: 'key',
      api_secret: SECRET,
      from: 'Example',
      to: DIGITS,
      text: expect.stringContaining('123456'),
    },
    taken: vonageStatus('0'),
    refused: [
      ['limit', vonageStatus('1')],
      ['login', vonageStatus('4')],
      ['fault', vonageStatus('5')],
      ['recipient', vonageStatus('7')],
      ['limit', vonageStatus('9')],
      ['sender', vonageStatus('15')],
      ['protocol', { status: 200, body: 'hello' }],
    ],
  },
  {
    kind: 'aws-sns-short-message-service',
    config: { accessKeyId: 'AKIAEXAMPLE', accessKeySecret: SECRET, region: 'eu-central-1', senderId: 'Example' },
    path: '/',
    headers: { authorization: expect.stringContaining('/eu-central-1/sns/aws4_request') },
    body: {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: PHONE,
      Message: expect.stringContaining('123456'),
      'MessageAttributes.entry.2.Name': 'AWS.SNS.SMS.SenderID',
      'MessageAttributes.entry.2.Value.StringValue': 'Example',
    },
    taken: {
      status: 200,
      body: '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>',
    },
    refused: [
      ['login', snsError(403, 'SignatureDoesNotMatch')],
      ['recipient', snsError(400, 'InvalidParameter')],
      ['recipient', snsError(400, 'OptedOut')],
      ['limit', snsError(400, 'Throttling')],
      ['fault', snsError(500, 'InternalError')],
    ],
  },
  {
    kind: 'messagebird-short-message-service',
    config: { accessKey: SECRET, originator: 'Example' },
    path: '/messages',
    headers: { authorization: `AccessKey ${SECRET}` },
    body: {
      originator: 'Example',
      recipients: [DIGITS],
      body: expect.stringContaining('123456'),
      datacoding: 'auto',
      reference: expect.stringMatching(/^[0-9a-z]{21}$/),
    },
    taken: { status: 201, body: { id: '1', recipients: { totalSentCount: 1 } } },
    refused: [
      ['login', birdError(401, 2)],
      ['recipient', birdError(422, 10)],
      ['limit', birdError(402, 25)],
      ['fault', birdError(500, 99)],
    ],
  },
  {
    kind: 'sendgrid-email-service',
    config: { apiKey: SECRET, fromEmail: 'no-reply@mail.example', fromName: 'Example', replyTo: 'help@mail.example' },
    path: '/v3/mail/send',
    headers: { authorization: `Bearer ${SECRET}` },
    body: {
      personalizations: [{ to: [{ email: expect.stringContaining('@') }] }],
      from: { email: 'no-reply@mail.example', name: 'Example' },
      reply_to: { email: 'help@mail.example' },
      subject,
      content: [
        { type: 'text/plain', value: expect.stringContaining('123456') },
        { type: 'text/html', value: expect.stringContaining('123456') },
      ],
    },
    taken: { status: 202 },
    refused: [
      ['login', gridError(401, null)],
      ['sender', gridError(403, 'from')],
      ['recipient', gridError(400, 'personalizations.0.to.0.email')],
      ['message', gridError(400, 'content')],
      ['limit', gridError(429, null)],
      ['fault', gridError(500, null)],
    ],
  },
  {
    kind: 'mailgun-email',
    config: { domain: 'mg.example.com', apiKey: SECRET, from: FROM },
    path: '/v3/mg.example.com/messages',
    headers: { authorization: basic('api', SECRET) },
    body: {
      from: FROM,
      subject,
      text: expect.stringContaining('123456'),
      html: expect.stringContaining('123456'),
      'h:Auto-Submitted': 'auto-generated',
      'o:tracking': 'no',
    },
    taken: { status: 200, body: { id: '<1@mg.example.com>', message: 'Queued. Thank you.' } },
    refused: [
      ['login', { status: 401, body: 'Forbidden' }],
      ['message', { status: 400, body: { message: `'to' parameter is not a valid address: ${SECRET} 123456` } }],
      ['protocol', { status: 404, body: { message: 'Domain not found: mg.example.com' } }],
      ['limit', { status: 429, body: { message: 'too many' } }],
      ['fault', { status: 500, body: { message: 'sorry' } }],
    ],
  },
  {
    kind: 'postmark-mail',
    config: { serverToken: SECRET, fromEmail: FROM, messageStream: 'outbound' },
    path: '/email',
    headers: { 'x-postmark-server-token': SECRET, accept: 'application/json' },
    body: {
      From: FROM,
      Subject: subject,
      TextBody: expect.stringContaining('123456'),
      HtmlBody: expect.stringContaining('123456'),
      MessageStream: 'outbound',
      TrackLinks: 'None',
    },
    taken: { status: 200, body: { ErrorCode: 0, Message: 'OK', MessageID: '1' } },
    refused: [
      ['login', postmarkError(401, 10)],
      ['message', postmarkError(422, 300)],
      ['sender', postmarkError(422, 400)],
      ['recipient', postmarkError(422, 406)],
      ['limit', postmarkError(422, 405)],
      ['fault', postmarkError(500, 100)],
    ],
  },
  {
    kind: 'aws-ses-mail',
    config: { accessKeyId: 'AKIAEXAMPLE', accessKeySecret: SECRET, region: 'eu-west-1', emailAddress: FROM },
    path: '/v2/email/outbound-emails',
    headers: { authorization: expect.stringContaining('/eu-west-1/ses/aws4_request') },
    body: {
      FromEmailAddress: FROM,
      Destination: { ToAddresses: [expect.stringContaining('@')] },
      Content: {
        Simple: {
          Subject: { Data: subject, Charset: 'UTF-8' },
          Body: {
            Text: { Data: expect.stringContaining('123456'), Charset: 'UTF-8' },
            Html: { Data: expect.stringContaining('123456'), Charset: 'UTF-8' },
          },
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    },
    taken: { status: 200, body: { MessageId: '1' } },
    refused: [
      ['login', sesError(403, 'UnrecognizedClientException')],
      ['message', sesError(400, 'MessageRejected')],
      ['sender', sesError(400, 'MailFromDomainNotVerifiedException')],
      ['limit', sesError(429, 'TooManyRequestsException')],
      ['fault', sesError(500, 'InternalFailure')],
    ],
  },
  {
    kind: 'resend-email',
    config: { apiKey: SECRET, fromEmail: FROM },
    path: '/emails',
    headers: { authorization: `Bearer ${SECRET}`, 'idempotency-key': expect.stringMatching(/^[0-9a-z]{21}$/) },
    body: {
      from: FROM,
      to: [expect.stringContaining('@')],
      subject,
      text: expect.stringContaining('123456'),
      html: expect.stringContaining('123456'),
    },
    taken: { status: 200, body: { id: '1' } },
    refused: [
      ['login', resendError(403, 'invalid_api_key')],
      ['message', resendError(422, 'validation_error')],
      ['sender', resendError(403, 'invalid_from_address')],
      ['limit', resendError(429, 'rate_limit_exceeded')],
      ['fault', resendError(500, 'internal_server_error')],
    ],
  },
]
