/** Amazon SES: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
import type { Provider } from './provider.ts'

const content = (data: string) => ({ Data: data, Charset: 'UTF-8' })

export const awsSes: Provider = {
  id: 'aws-ses-mail',
  type: 'Email',
  target: 'aws-ses',
  name: 'Amazon SES',
  description: 'Sends mail through Amazon SES.',
  readme: 'Make an IAM user that may do ses:SendEmail, take its access key, and verify the sender or its domain.',
  example: {
    accessKeyId: 'AKIAEXAMPLE',
    accessKeySecret: 'secret',
    region: 'eu-central-1',
    emailAddress: 'Example <no-reply@example.com>',
  },
  request: {
    origin: 'https://email.{{config.region}}.amazonaws.com',
    path: '/v2/email/outbound-emails',
    aws: 'ses',
    body: {
      FromEmailAddress: '{{from}}',
      Destination: { ToAddresses: ['{{to}}'] },
      ReplyToAddresses: ['{{replyTo}}'],
      ConfigurationSetName: '{{config.configurationSetName}}',
      Content: {
        Simple: {
          Subject: content('{{subject}}'),
          Body: { Text: content('{{text}}'), Html: content('{{html}}') },
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    },
  },
  outcome: {
    code: 'x-amzn-errortype',
    failures: {
      AccessDeniedException: 'login',
      AccountSuspendedException: 'login',
      BadRequestException: 'message',
      InvalidClientTokenId: 'login',
      InvalidSignatureException: 'login',
      LimitExceededException: 'limit',
      MailFromDomainNotVerifiedException: 'sender',
      MessageRejected: 'message',
      SendingPausedException: 'limit',
      SignatureDoesNotMatch: 'login',
      TooManyRequestsException: 'limit',
      UnrecognizedClientException: 'login',
    },
  },
}
