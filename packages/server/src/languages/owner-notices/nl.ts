/** Dutch: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Dit was ik niet',
  unasked:
    'Was jij dit, dan hoef je niets te doen. Zo niet, gebruik dan de knop: die logt iedereen uit die op je account is ingelogd.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Dit was ik niet',
  notMeTitle: 'Was jij dit niet?',
  notMeLead: 'Als iemand anders deze wijziging heeft gemaakt, log dan nu iedereen uit op je account.',
  notMeHint:
    'Dit beëindigt alle sessies en de toegang van alle toepassingen en persoonlijke toegangstokens. Het kan niet ongedaan worden gemaakt.',
  notMeGone: 'Deze link is niet meer geldig. Hij kan één keer worden gebruikt, binnen zeven dagen.',
  notMeDone: 'Iedereen is uitgelogd',
  notMeDoneLead: 'Niemand is nog ingelogd op je account en geen enkele toepassing heeft er nog toegang toe.',
  notMeReset:
    'Je wachtwoord werkt niet meer. Kies bij de volgende keer inloggen dat je het wachtwoord bent vergeten en stel een nieuw in.',
  notMeCode:
    'Je wachtwoord werkt niet meer. We hebben een code naar je e-mailadres gestuurd: voer die hier in met een nieuw wachtwoord.',
  notMeFactorCode:
    'We hebben een code naar je e-mailadres gestuurd. Voer die in om de methode te verwijderen die aan je verificatie in twee stappen is toegevoegd.',
  notMeFactorGone: 'De methode is verwijderd uit je verificatie in twee stappen.',
  notMeContact: 'Als je e-mailadres of wachtwoord is gewijzigd, vraag dan de helpdesk van deze dienst om hulp.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Je account wordt verwijderd',
    lead: 'Je account bij {{host}} wordt op {{date}} verwijderd, zoals je hebt gevraagd. Wil je het behouden, gebruik dan deze link of log voor die tijd in.',
    action: 'Mijn account behouden',
    unasked:
      'Heb je hier niet om gevraagd? Dan kent iemand anders misschien je wachtwoord. Behoud je account en stel een nieuw wachtwoord in.',
  },
  AccountChanged: { subject: 'Je account is gewijzigd', lead: 'Je account bij {{host}} is gewijzigd.', ...notMe },
  NewSignIn: {
    subject: 'Nieuwe inlog bij je account',
    lead: 'Er is opnieuw ingelogd op je account bij {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'Het wachtwoord van je account bij {{host}} is gewijzigd.',
  emailChanged: 'Het e-mailadres van je account bij {{host}} is gewijzigd.',
  phoneChanged: 'Het telefoonnummer van je account bij {{host}} is gewijzigd.',
  factorAdded: 'Er is een methode toegevoegd aan de verificatie in twee stappen van je account bij {{host}}.',
  factorRemoved: 'Er is een methode verwijderd uit de verificatie in twee stappen van je account bij {{host}}.',
  backupCodesCreated: 'Er zijn nieuwe back-upcodes gemaakt voor je account bij {{host}}.',
  identityLinked: 'Je account bij {{host}} is gekoppeld aan een account bij een andere dienst.',
  identityUnlinked: 'De koppeling van je account bij {{host}} met een account bij een andere dienst is verwijderd.',
  accessTokenCreated: 'Er is een persoonlijk toegangstoken gemaakt voor je account bij {{host}}.',
  newSignIn: 'Er is op je account bij {{host}} ingelogd met een nieuwe browser of vanaf een nieuwe plaats.',
}
