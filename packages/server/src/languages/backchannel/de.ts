/** German: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Anmeldung bestätigen',
  backchannelLead: 'Eine Anwendung möchte Sie anmelden. Auf der nächsten Seite sehen Sie, welche, und entscheiden.',
  backchannelGone: 'Diese Anfrage ist abgelaufen oder wurde schon beantwortet.',
  backchannelConfirmTitle: 'Bei {application} anmelden?',
  backchannelMessage: 'Nachricht der Anwendung',
  backchannelWarning:
    'Erlauben Sie das nur, wenn Sie es erwartet haben und die Nachricht hier dieselbe ist wie dort, wo Sie begonnen haben. Lehnen Sie es sonst ab.',
  backchannelDone: 'Sie haben die Anmeldung erlaubt',
  backchannelDoneLead: 'Dieses Fenster kann geschlossen werden; weiter geht es dort, wo Sie begonnen haben.',
  backchannelDenied: 'Sie haben die Anmeldung abgelehnt',
  backchannelDeniedLead: 'Die Anwendung hat keinen Zugriff bekommen. Dieses Fenster kann geschlossen werden.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Anmeldung bestätigen',
  lead: 'Eine Anwendung möchte Sie bei {{host}} anmelden. Über diesen Link sehen Sie, welche, und entscheiden.',
  action: 'Anfrage ansehen',
  unasked:
    'Wenn Sie das nicht erwartet haben, können Sie diese E-Mail ignorieren. Ohne Ihre Erlaubnis wird niemand angemeldet.',
}

/** The text message. */
export const backchannelSms = 'Eine Anwendung möchte Sie bei {{host}} anmelden. Entscheiden: {{link}}'
