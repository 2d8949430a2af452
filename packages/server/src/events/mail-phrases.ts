/** The texts of the server's own messages, in each language; a connector's templates take precedence. */
import type { LanguageTag } from '../domain/delivery/languages.ts'
import type { MessageUsage } from '../domain/delivery/messages.ts'

export interface MailPhrases {
  /** The subject, and what the code or the link is for. */
  readonly usages: Readonly<Record<MessageUsage, { readonly subject: string; readonly lead: string }>>
  /** For a code that is valid for some `minutes`; an invitation's code has no such limit. */
  readonly codeLife: string
  readonly codeNote: string
  readonly ignore: string
}

const en: MailPhrases = {
  usages: {
    SignIn: { subject: 'Your sign-in code', lead: 'Use this code to sign in to {{host}}.' },
    Register: { subject: 'Your registration code', lead: 'Use this code to create your account at {{host}}.' },
    ForgotPassword: {
      subject: 'Your code to set a new password',
      lead: 'Use this code to set a new password at {{host}}.',
    },
    BindNewIdentifier: {
      subject: 'Your code to add this address',
      lead: 'Use this code to add this address to your account at {{host}}.',
    },
    MfaVerification: {
      subject: 'Your code for two-step verification',
      lead: 'Use this code to confirm that it is you who signs in to {{host}}.',
    },
    BindMfa: {
      subject: 'Your code to set up two-step verification',
      lead: 'Use this code to set up two-step verification for your account at {{host}}.',
    },
    UserPermissionValidation: {
      subject: 'Your code to confirm a change',
      lead: 'Use this code to confirm a change to your account at {{host}}.',
    },
    MagicLink: { subject: 'Your link to sign in', lead: 'Use this link to sign in to {{host}}.' },
    Generic: { subject: 'Your verification code', lead: 'Use this code at {{host}}.' },
    OrganizationInvitation: {
      subject: 'You are invited',
      lead: 'You are invited to join {{organizationName}} at {{host}}.',
    },
  },
  codeLife: 'It is valid for {{minutes}} minutes.',
  codeNote: 'We will never ask you for it.',
  ignore: 'If you did not expect this message, you can ignore it.',
}

const de: MailPhrases = {
  usages: {
    SignIn: { subject: 'Ihr Code zum Anmelden', lead: 'Mit diesem Code melden Sie sich bei {{host}} an.' },
    Register: {
      subject: 'Ihr Code zum Registrieren',
      lead: 'Mit diesem Code legen Sie Ihr Konto bei {{host}} an.',
    },
    ForgotPassword: {
      subject: 'Ihr Code für ein neues Passwort',
      lead: 'Mit diesem Code setzen Sie ein neues Passwort bei {{host}}.',
    },
    BindNewIdentifier: {
      subject: 'Ihr Code für diese Adresse',
      lead: 'Mit diesem Code fügen Sie diese Adresse Ihrem Konto bei {{host}} hinzu.',
    },
    MfaVerification: {
      subject: 'Ihr Code für die Bestätigung in zwei Schritten',
      lead: 'Mit diesem Code bestätigen Sie, dass Sie es sind, der sich bei {{host}} anmeldet.',
    },
    BindMfa: {
      subject: 'Ihr Code zum Einrichten der Bestätigung in zwei Schritten',
      lead: 'Mit diesem Code richten Sie die Bestätigung in zwei Schritten für Ihr Konto bei {{host}} ein.',
    },
    UserPermissionValidation: {
      subject: 'Ihr Code zum Bestätigen einer Änderung',
      lead: 'Mit diesem Code bestätigen Sie eine Änderung an Ihrem Konto bei {{host}}.',
    },
    MagicLink: { subject: 'Ihr Link zum Anmelden', lead: 'Mit diesem Link melden Sie sich bei {{host}} an.' },
    Generic: { subject: 'Ihr Bestätigungscode', lead: 'Dieser Code gilt bei {{host}}.' },
    OrganizationInvitation: {
      subject: 'Sie sind eingeladen',
      lead: 'Sie sind eingeladen, bei {{host}} Mitglied von {{organizationName}} zu werden.',
    },
  },
  codeLife: 'Er gilt {{minutes}} Minuten.',
  codeNote: 'Niemand von uns wird Sie je danach fragen.',
  ignore: 'Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
}

export const MAIL_PHRASES: Readonly<Record<LanguageTag, MailPhrases>> = { en, de }
