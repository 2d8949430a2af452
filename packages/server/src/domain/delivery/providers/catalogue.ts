/** The providers that have their own kind of connector. */
import { awsSes } from './aws-ses.ts'
import { awsSns } from './aws-sns.ts'
import { mailgun } from './mailgun.ts'
import { messageBird } from './messagebird.ts'
import { postmark } from './postmark.ts'
import type { Provider } from './provider.ts'
import { resend } from './resend.ts'
import { sendGrid } from './sendgrid.ts'
import { twilio } from './twilio.ts'
import { vonage } from './vonage.ts'

export const PROVIDERS: readonly Provider[] = [
  sendGrid,
  mailgun,
  postmark,
  awsSes,
  resend,
  twilio,
  vonage,
  awsSns,
  messageBird,
]
