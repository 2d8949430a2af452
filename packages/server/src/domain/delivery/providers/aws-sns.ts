/** Amazon SNS: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
import type { Provider } from './provider.ts'

export const awsSns: Provider = {
  id: 'aws-sns-short-message-service',
  type: 'Sms',
  target: 'aws-sns',
  name: 'Amazon SNS',
  description: 'Sends text messages through Amazon SNS.',
  readme:
    'Make an IAM user that may do sns:Publish, and take its access key. Set your spending limit for text messages.',
  example: { accessKeyId: 'AKIAEXAMPLE', accessKeySecret: 'secret', region: 'eu-central-1' },
  request: {
    origin: 'https://sns.{{config.region}}.amazonaws.com',
    path: '/',
    aws: 'sns',
    contentType: 'application/x-www-form-urlencoded',
    body: {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: '{{to}}',
      Message: '{{text}}',
      'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
      'MessageAttributes.entry.2.Name': '{{senderIdName}}',
      'MessageAttributes.entry.2.Value.DataType': '{{senderIdType}}',
      'MessageAttributes.entry.2.Value.StringValue': '{{config.senderId}}',
    },
  },
  outcome: {
    code: '<Code>',
    failures: {
      AuthorizationError: 'login',
      IncompleteSignature: 'login',
      InvalidClientTokenId: 'login',
      InvalidParameter: 'recipient',
      InvalidParameterValue: 'message',
      OptedOut: 'recipient',
      SignatureDoesNotMatch: 'login',
      Throttled: 'limit',
      Throttling: 'limit',
    },
  },
}
