/** Polish: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'To nie ja',
  unasked:
    'Jeśli to Ty, nie musisz nic robić. Jeśli nie, użyj przycisku: wyloguje on wszystkich zalogowanych na Twoje konto.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'To nie ja',
  notMeTitle: 'To nie Ty?',
  notMeLead: 'Jeśli tę zmianę wprowadził ktoś inny, wyloguj teraz wszystkich z Twojego konta.',
  notMeHint:
    'Zakończy to wszystkie sesje oraz dostęp wszystkich aplikacji i osobistych tokenów dostępu. Tego nie można cofnąć.',
  notMeGone: 'Ten link nie jest już ważny. Można go użyć raz, w ciągu siedmiu dni.',
  notMeDone: 'Wszyscy zostali wylogowani',
  notMeDoneLead: 'Nikt nie jest już zalogowany na Twoje konto i żadna aplikacja nie ma do niego dostępu.',
  notMeReset: 'Twoje hasło już nie działa. Przy następnym logowaniu wybierz opcję zapomnianego hasła i ustaw nowe.',
  notMeCode: 'Twoje hasło już nie działa. Wysłaliśmy kod na Twój adres e-mail: wpisz go tutaj razem z nowym hasłem.',
  notMeFactorCode:
    'Wysłaliśmy kod na Twój adres e-mail. Wpisz go, aby usunąć metodę dodaną do weryfikacji dwuetapowej.',
  notMeFactorGone: 'Metoda została usunięta z weryfikacji dwuetapowej.',
  notMeContact: 'Jeśli zmieniono Twój adres e-mail lub hasło, poproś o pomoc wsparcie tej usługi.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Twoje konto zostanie usunięte',
    lead: 'Zgodnie z Twoją prośbą konto w {{host}} zostanie usunięte {{date}}. Aby je zachować, użyj tego linku lub zaloguj się wcześniej.',
    action: 'Zachowaj moje konto',
    unasked: 'Jeśli to nie była Twoja prośba, ktoś inny może znać Twoje hasło. Zachowaj konto i ustaw nowe hasło.',
  },
  AccountChanged: {
    subject: 'Twoje konto zostało zmienione',
    lead: 'Twoje konto w {{host}} zostało zmienione.',
    ...notMe,
  },
  NewSignIn: {
    subject: 'Nowe logowanie do Twojego konta',
    lead: 'Odnotowano nowe logowanie do Twojego konta w {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'Hasło do Twojego konta w {{host}} zostało zmienione.',
  emailChanged: 'Adres e-mail Twojego konta w {{host}} został zmieniony.',
  phoneChanged: 'Numer telefonu Twojego konta w {{host}} został zmieniony.',
  factorAdded: 'Do weryfikacji dwuetapowej Twojego konta w {{host}} dodano metodę.',
  factorRemoved: 'Z weryfikacji dwuetapowej Twojego konta w {{host}} usunięto metodę.',
  backupCodesCreated: 'Dla Twojego konta w {{host}} utworzono nowe kody zapasowe.',
  identityLinked: 'Twoje konto w {{host}} zostało połączone z kontem w innej usłudze.',
  identityUnlinked: 'Połączenie Twojego konta w {{host}} z kontem w innej usłudze zostało usunięte.',
  accessTokenCreated: 'Dla Twojego konta w {{host}} utworzono osobisty token dostępu.',
  newSignIn: 'Do Twojego konta w {{host}} zalogowano się z nowej przeglądarki lub z nowego miejsca.',
}
