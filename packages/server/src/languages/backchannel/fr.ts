/** French: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Confirmer une connexion',
  backchannelLead: 'Une application demande à vous connecter. Continuez pour voir laquelle et décider.',
  backchannelGone: 'Cette demande a expiré ou a déjà reçu une réponse.',
  backchannelConfirmTitle: 'Vous connecter à {application} ?',
  backchannelMessage: 'Message de l’application',
  backchannelWarning:
    'N’autorisez que si vous vous y attendiez et si le message est celui affiché là où vous avez commencé. Sinon, refusez.',
  backchannelDone: 'Vous avez autorisé la connexion',
  backchannelDoneLead: 'Vous pouvez fermer cette fenêtre et continuer là où vous avez commencé.',
  backchannelDenied: 'Vous avez refusé la connexion',
  backchannelDeniedLead: 'L’application n’a obtenu aucun accès. Vous pouvez fermer cette fenêtre.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Confirmer une connexion',
  lead: 'Une application demande à vous connecter sur {{host}}. Utilisez ce lien pour voir laquelle et décider.',
  action: 'Voir la demande',
  unasked:
    'Si vous ne vous y attendiez pas, vous pouvez ignorer cet e-mail. Personne n’est connecté sans votre accord.',
}

/** The text message. */
export const backchannelSms = 'Une application demande à vous connecter sur {{host}}. Répondre: {{link}}'
