/** Polish: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Potwierdź logowanie',
  backchannelLead: 'Aplikacja prosi o zalogowanie na Twoje konto. Przejdź dalej, aby zobaczyć która, i zdecydować.',
  backchannelGone: 'Ta prośba wygasła lub udzielono już na nią odpowiedzi.',
  backchannelConfirmTitle: 'Zalogować do {application}?',
  backchannelMessage: 'Wiadomość od aplikacji',
  backchannelWarning:
    'Zezwól tylko wtedy, gdy prośba jest spodziewana, a wiadomość jest taka sama jak w miejscu, w którym zaczęto. W przeciwnym razie odmów.',
  backchannelDone: 'Zezwolono na logowanie',
  backchannelDoneLead: 'Możesz zamknąć to okno i kontynuować tam, gdzie zaczęto.',
  backchannelDenied: 'Odmówiono logowania',
  backchannelDeniedLead: 'Aplikacja nie otrzymała dostępu. Możesz zamknąć to okno.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Potwierdź logowanie',
  lead: 'Aplikacja prosi o zalogowanie na Twoje konto w {{host}}. Użyj tego linku, aby zobaczyć która, i zdecydować.',
  action: 'Zobacz prośbę',
  unasked:
    'Jeśli nie spodziewasz się tej prośby, możesz zignorować tę wiadomość. Nikt nie zostanie zalogowany bez Twojej zgody.',
}

/** The text message. */
export const backchannelSms = 'Aplikacja prosi o logowanie na Twoje konto w {{host}}. Decyzja: {{link}}'
