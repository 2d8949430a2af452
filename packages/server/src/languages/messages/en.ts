/** The texts of messages in English. */

import { backchannelMail, backchannelSms } from '../backchannel/en.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/en.ts'

const code = (purpose: string) => `{{code}} is your code to ${purpose} at {{host}}. Do not share it.`

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Your sign-in code',
      lead: 'Use this code to sign in to {{host}}.',
      unasked: 'If you did not try to sign in, you can ignore this email. No one can sign in without the code.',
    },
    Register: {
      subject: 'Your registration code',
      lead: 'Use this code to create your account at {{host}}.',
      unasked:
        'If you did not want to create an account, you can ignore this email. No account is created without the code.',
    },
    ForgotPassword: {
      subject: 'Your code to set a new password',
      lead: 'Use this code to set a new password at {{host}}.',
      unasked: 'If you did not ask for a new password, you can ignore this email. Your password stays as it is.',
    },
    BindNewIdentifier: {
      subject: 'Your code to add this address',
      lead: 'Use this code to add this address to your account at {{host}}.',
      unasked: 'If you did not ask for this, you can ignore this email. The address is not added without the code.',
    },
    MfaVerification: {
      subject: 'Your code for two-step verification',
      lead: 'Use this code to confirm that it is you signing in to {{host}}.',
      unasked:
        'If you did not try to sign in, someone else may know your password. Set a new one, and do not share this code.',
    },
    BindMfa: {
      subject: 'Your code to set up two-step verification',
      lead: 'Use this code to set up two-step verification for your account at {{host}}.',
      unasked:
        'If you did not ask for this, someone else may be signed in to your account. Set a new password, and do not share this code.',
    },
    UserPermissionValidation: {
      subject: 'Your code to confirm a change',
      lead: 'Use this code to confirm a change to your account at {{host}}.',
      unasked:
        'If you did not ask for this, someone else may be signed in to your account. Set a new password, and do not share this code.',
    },
    MagicLink: {
      subject: 'Your link to sign in',
      lead: 'Use this link to sign in to {{host}}.',
      action: 'Sign in',
      unasked:
        'If you did not try to sign in, you can ignore this email. Do not forward it: the link signs in anyone who has it.',
    },
    OrganizationInvitation: {
      subject: 'You are invited',
      lead: 'You are invited to join {{organizationName}} at {{host}}.',
      action: 'View the invitation',
      unasked:
        'If you did not expect this invitation, you can ignore this email. You become a member only if you accept.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Your verification code',
      lead: 'Use this code at {{host}}.',
      unasked: 'If you did not expect this email, you can ignore it.',
    },
  },
  changes,
  codeLife: 'It is valid for {{duration}}.',
  codeNote: 'Do not share it. We will never ask you for it.',
  linkLife: 'The link is valid for {{duration}}.',
  linkFallback: 'If the button does not work, copy this address into your browser:',
  open: 'Continue',
  sms: {
    SignIn: code('sign in'),
    Register: code('create your account'),
    ForgotPassword: code('set a new password'),
    BindNewIdentifier: code('add this number to your account'),
    MfaVerification: code('confirm your sign-in'),
    BindMfa: code('set up two-step verification'),
    UserPermissionValidation: code('confirm a change to your account'),
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Your link to sign in to {{host}}: {{link}}',
    AccountDeletion: 'Your account at {{host}} will be deleted on {{date}}. To keep it: {{link}}',
    OrganizationInvitation: 'You are invited to join {{organizationName}} at {{host}}: {{link}}',
    Generic: '{{code}} is your verification code at {{host}}. Do not share it.',
  },
}
