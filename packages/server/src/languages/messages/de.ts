/** The texts of messages in German. */

import { backchannelMail, backchannelSms } from '../backchannel/de.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/de.ts'

const code = (purpose: string) => `{{code}} ist Ihr Code ${purpose} bei {{host}}. Geben Sie ihn nicht weiter.`
const CHANGE_PASSWORD =
  'Wenn Sie das nicht veranlasst haben, ist vielleicht jemand anderes in Ihrem Konto angemeldet. Setzen Sie ein neues Passwort, und geben Sie diesen Code nicht weiter.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Ihr Code zum Anmelden',
      lead: 'Mit diesem Code melden Sie sich bei {{host}} an.',
      unasked:
        'Wenn Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren. Ohne den Code kann sich niemand anmelden.',
    },
    Register: {
      subject: 'Ihr Code zum Registrieren',
      lead: 'Mit diesem Code legen Sie Ihr Konto bei {{host}} an.',
      unasked:
        'Wenn Sie kein Konto anlegen wollten, können Sie diese E-Mail ignorieren. Ohne den Code wird kein Konto angelegt.',
    },
    ForgotPassword: {
      subject: 'Ihr Code für ein neues Passwort',
      lead: 'Mit diesem Code setzen Sie ein neues Passwort bei {{host}}.',
      unasked:
        'Wenn Sie kein neues Passwort wollten, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt, wie es ist.',
    },
    BindNewIdentifier: {
      subject: 'Ihr Code für diese Adresse',
      lead: 'Mit diesem Code fügen Sie diese Adresse Ihrem Konto bei {{host}} hinzu.',
      unasked:
        'Wenn Sie das nicht veranlasst haben, können Sie diese E-Mail ignorieren. Ohne den Code wird die Adresse nicht hinzugefügt.',
    },
    MfaVerification: {
      subject: 'Ihr Code für die Bestätigung in zwei Schritten',
      lead: 'Mit diesem Code bestätigen Sie, dass Sie sich gerade bei {{host}} anmelden.',
      unasked:
        'Wenn Sie sich nicht anmelden wollten, kennt vielleicht jemand anderes Ihr Passwort. Setzen Sie ein neues, und geben Sie diesen Code nicht weiter.',
    },
    BindMfa: {
      subject: 'Ihr Code zum Einrichten der Bestätigung in zwei Schritten',
      lead: 'Mit diesem Code richten Sie die Bestätigung in zwei Schritten für Ihr Konto bei {{host}} ein.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Ihr Code zum Bestätigen einer Änderung',
      lead: 'Mit diesem Code bestätigen Sie eine Änderung an Ihrem Konto bei {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Ihr Link zum Anmelden',
      lead: 'Mit diesem Link melden Sie sich bei {{host}} an.',
      action: 'Anmelden',
      unasked:
        'Wenn Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Wer den Link hat, kann sich als Sie anmelden.',
    },
    OrganizationInvitation: {
      subject: 'Sie sind eingeladen',
      lead: 'Sie sind eingeladen, bei {{host}} Mitglied von {{organizationName}} zu werden.',
      action: 'Einladung ansehen',
      unasked:
        'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren. Mitglied werden Sie nur, wenn Sie annehmen.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Ihr Bestätigungscode',
      lead: 'Dieser Code gilt bei {{host}}.',
      unasked: 'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    },
  },
  changes,
  codeLife: 'Er gilt {{duration}}.',
  codeNote: 'Geben Sie ihn nicht weiter. Wir werden Sie nie danach fragen.',
  linkLife: 'Der Link gilt {{duration}}.',
  linkFallback: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  open: 'Weiter',
  sms: {
    SignIn: code('zum Anmelden'),
    Register: code('zum Registrieren'),
    ForgotPassword: code('für ein neues Passwort'),
    BindNewIdentifier: code('für diese Nummer'),
    MfaVerification: code('zum Bestätigen der Anmeldung'),
    BindMfa: code('für die Bestätigung in zwei Schritten'),
    UserPermissionValidation: code('zum Bestätigen einer Änderung'),
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Ihr Link zum Anmelden bei {{host}}: {{link}}',
    AccountDeletion: 'Ihr Konto bei {{host}} wird am {{date}} gelöscht. Behalten: {{link}}',
    OrganizationInvitation: 'Sie sind eingeladen, bei {{host}} Mitglied von {{organizationName}} zu werden: {{link}}',
    Generic: '{{code}} ist Ihr Bestätigungscode bei {{host}}. Geben Sie ihn nicht weiter.',
  },
}
