/** German: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Das war ich nicht',
  unasked:
    'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, benutzen Sie die Schaltfläche: Sie meldet alle ab, die bei Ihrem Konto angemeldet sind.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Das war ich nicht',
  notMeTitle: 'Waren Sie das nicht?',
  notMeLead: 'Wenn jemand anderes das geändert hat, melden Sie jetzt alle von Ihrem Konto ab.',
  notMeHint:
    'Das beendet alle Sitzungen und den Zugriff aller Anwendungen und persönlichen Zugriffstokens. Es lässt sich nicht rückgängig machen.',
  notMeGone: 'Dieser Link ist nicht mehr gültig. Er kann einmal und innerhalb von sieben Tagen benutzt werden.',
  notMeDone: 'Alle wurden abgemeldet',
  notMeDoneLead: 'Niemand ist mehr bei Ihrem Konto angemeldet, und keine Anwendung hat mehr Zugriff darauf.',
  notMeReset:
    'Ihr Passwort gilt nicht mehr. Wählen Sie bei der nächsten Anmeldung „Passwort vergessen“ und setzen Sie ein neues.',
  notMeCode:
    'Ihr Passwort gilt nicht mehr. Wir haben einen Code an Ihre E-Mail-Adresse gesendet: Geben Sie ihn hier mit einem neuen Passwort ein.',
  notMeFactorCode:
    'Wir haben einen Code an Ihre E-Mail-Adresse gesendet. Geben Sie ihn ein, um das Verfahren zu entfernen, das zu Ihrer Bestätigung in zwei Schritten hinzugefügt wurde.',
  notMeFactorGone: 'Das Verfahren wurde aus Ihrer Bestätigung in zwei Schritten entfernt.',
  notMeContact:
    'Wenn Ihre E-Mail-Adresse oder Ihr Passwort geändert wurde, wenden Sie sich an den Support dieses Dienstes.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Ihr Konto wird gelöscht',
    lead: 'Ihr Konto bei {{host}} wird am {{date}} gelöscht, wie Sie es gewünscht haben. Um es zu behalten, verwenden Sie diesen Link oder melden Sie sich vorher an.',
    action: 'Mein Konto behalten',
    unasked:
      'Wenn Sie das nicht gewünscht haben, kennt möglicherweise jemand anderes Ihr Passwort. Behalten Sie Ihr Konto, und legen Sie ein neues Passwort fest.',
  },
  AccountChanged: { subject: 'Ihr Konto wurde geändert', lead: 'Ihr Konto bei {{host}} wurde geändert.', ...notMe },
  NewSignIn: {
    subject: 'Neue Anmeldung bei Ihrem Konto',
    lead: 'Es gab eine neue Anmeldung bei Ihrem Konto bei {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'Das Passwort Ihres Kontos bei {{host}} wurde geändert.',
  emailChanged: 'Die E-Mail-Adresse Ihres Kontos bei {{host}} wurde geändert.',
  phoneChanged: 'Die Telefonnummer Ihres Kontos bei {{host}} wurde geändert.',
  factorAdded: 'Zur Bestätigung in zwei Schritten Ihres Kontos bei {{host}} wurde ein Verfahren hinzugefügt.',
  factorRemoved: 'Aus der Bestätigung in zwei Schritten Ihres Kontos bei {{host}} wurde ein Verfahren entfernt.',
  backupCodesCreated: 'Für Ihr Konto bei {{host}} wurden neue Backup-Codes erstellt.',
  identityLinked: 'Ihr Konto bei {{host}} wurde mit einem Konto bei einem anderen Dienst verknüpft.',
  identityUnlinked:
    'Die Verknüpfung Ihres Kontos bei {{host}} mit einem Konto bei einem anderen Dienst wurde entfernt.',
  accessTokenCreated: 'Für Ihr Konto bei {{host}} wurde ein persönliches Zugriffstoken erstellt.',
  newSignIn: 'Bei Ihrem Konto bei {{host}} gab es eine Anmeldung mit einem neuen Browser oder von einem neuen Ort.',
}
