/** French: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Ce n’était pas moi',
  unasked:
    'Si c’était vous, il n’y a rien à faire. Sinon, utilisez le bouton : il déconnecte toutes les personnes connectées à votre compte.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Ce n’était pas moi',
  notMeTitle: 'Ce n’était pas vous ?',
  notMeLead: 'Si quelqu’un d’autre a fait cette modification, déconnectez maintenant tout le monde de votre compte.',
  notMeHint:
    'Cela met fin à toutes les sessions et à l’accès de toutes les applications et de tous les jetons d’accès personnels. Cette action est irréversible.',
  notMeGone: 'Ce lien n’est plus valable. Il peut être utilisé une fois, dans un délai de sept jours.',
  notMeDone: 'Tout le monde a été déconnecté',
  notMeDoneLead: 'Plus personne n’est connecté à votre compte, et plus aucune application n’y a accès.',
  notMeReset:
    'Votre mot de passe ne fonctionne plus. À la prochaine connexion, choisissez « Mot de passe oublié » et définissez-en un nouveau.',
  notMeCode:
    'Votre mot de passe ne fonctionne plus. Nous avons envoyé un code à votre adresse e-mail : saisissez-le ici avec un nouveau mot de passe.',
  notMeFactorCode:
    'Nous avons envoyé un code à votre adresse e-mail. Saisissez-le pour retirer la méthode qui a été ajoutée à votre validation en deux étapes.',
  notMeFactorGone: 'La méthode a été retirée de votre validation en deux étapes.',
  notMeContact:
    'Si votre adresse e-mail ou votre mot de passe a été modifié, adressez-vous à l’assistance de ce service.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Votre compte sera supprimé',
    lead: 'Votre compte sur {{host}} sera supprimé le {{date}}, comme vous l’avez demandé. Pour le conserver, utilisez ce lien ou connectez-vous avant cette date.',
    action: 'Conserver mon compte',
    unasked:
      'Si vous n’avez rien demandé, quelqu’un d’autre connaît peut-être votre mot de passe. Conservez votre compte et choisissez un nouveau mot de passe.',
  },
  AccountChanged: {
    subject: 'Votre compte a été modifié',
    lead: 'Votre compte sur {{host}} a été modifié.',
    ...notMe,
  },
  NewSignIn: {
    subject: 'Nouvelle connexion à votre compte',
    lead: 'Il y a eu une nouvelle connexion à votre compte sur {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'Le mot de passe de votre compte sur {{host}} a été modifié.',
  emailChanged: 'L’adresse e-mail de votre compte sur {{host}} a été modifiée.',
  phoneChanged: 'Le numéro de téléphone de votre compte sur {{host}} a été modifié.',
  factorAdded: 'Une méthode a été ajoutée à la validation en deux étapes de votre compte sur {{host}}.',
  factorRemoved: 'Une méthode a été retirée de la validation en deux étapes de votre compte sur {{host}}.',
  backupCodesCreated: 'De nouveaux codes de secours ont été créés pour votre compte sur {{host}}.',
  identityLinked: 'Votre compte sur {{host}} a été associé à un compte d’un autre service.',
  identityUnlinked: 'L’association de votre compte sur {{host}} avec un compte d’un autre service a été supprimée.',
  accessTokenCreated: 'Un jeton d’accès personnel a été créé pour votre compte sur {{host}}.',
  newSignIn: 'Une connexion à votre compte sur {{host}} a eu lieu depuis un nouveau navigateur ou un nouveau lieu.',
}
