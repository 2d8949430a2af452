/** English: what users read when an application asks for them without a browser: the pages, and the message. */

/** Phrases of the pages. */
export const backchannelPhrases = {
  backchannelTitle: 'Confirm a sign-in',
  backchannelLead: 'An application asks to sign you in. Continue to see which one, and to decide.',
  backchannelGone: 'This request has expired or has already been answered.',
  backchannelConfirmTitle: 'Sign in to {application}?',
  backchannelMessage: 'Message from the application',
  backchannelWarning:
    'Only allow this if you expected it, and if the message here is the one that you were shown where you started. Otherwise deny it.',
  backchannelDone: 'You allowed the sign-in',
  backchannelDoneLead: 'You can close this window and continue where you started.',
  backchannelDenied: 'You denied the sign-in',
  backchannelDeniedLead: 'The application was not given access. You can close this window.',
}
export type BackchannelPhrases = Readonly<Record<keyof typeof backchannelPhrases, string>>

/** The mail. */
export const backchannelMail = {
  subject: 'Confirm a sign-in',
  lead: 'An application asks to sign you in at {{host}}. Use this link to see which one, and to decide.',
  action: 'See the request',
  unasked: 'If you did not expect this, you can ignore this email. No one is signed in unless you allow it.',
}

/** The text message. */
export const backchannelSms = 'An application asks to sign you in at {{host}}. Decide here: {{link}}'
