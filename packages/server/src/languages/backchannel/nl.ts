/** Dutch: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Bevestig een inlogverzoek',
  backchannelLead: 'Een toepassing vraagt om je in te loggen. Ga door om te zien welke en om te beslissen.',
  backchannelGone: 'Dit verzoek is verlopen of al beantwoord.',
  backchannelConfirmTitle: 'Inloggen bij {application}?',
  backchannelMessage: 'Bericht van de toepassing',
  backchannelWarning:
    'Sta dit alleen toe als je het verwachtte en het bericht hetzelfde is als waar je bent begonnen. Weiger het anders.',
  backchannelDone: 'Je hebt het inloggen toegestaan',
  backchannelDoneLead: 'Je kunt dit venster sluiten en verdergaan waar je bent begonnen.',
  backchannelDenied: 'Je hebt het inloggen geweigerd',
  backchannelDeniedLead: 'De toepassing heeft geen toegang gekregen. Je kunt dit venster sluiten.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Bevestig een inlogverzoek',
  lead: 'Een toepassing vraagt om je in te loggen bij {{host}}. Gebruik deze link om te zien welke en om te beslissen.',
  action: 'Verzoek bekijken',
  unasked: 'Verwachtte je dit niet? Dan kun je deze e-mail negeren. Niemand wordt ingelogd zonder jouw toestemming.',
}

/** The text message. */
export const backchannelSms = 'Een toepassing vraagt om je in te loggen bij {{host}}. Beslis: {{link}}'
