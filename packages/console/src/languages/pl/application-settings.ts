/** The phrases of `en/application-settings.ts` in Polish. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Wygląd',
  'tokens.maxAllowedGrants': 'Urządzenia na użytkownika',
  'tokens.maxAllowedGrants.hint': 'Zalogowanie na kolejnym wylogowuje najdawniejsze. Puste: dowolna liczba.',
  'tokens.algorithm': 'Algorytm tokenów ID',
  'tokens.algorithmOfTenant': 'Algorytm bieżącego klucza',

  'refused.title': 'Dodać ten adres?',
  'refused.text':
    'Po zalogowaniu użytkownicy są tam kierowani razem ze swoimi kodami. Taki wpis może wywołać każdy, otwierając link, więc dodaj tylko adres, o którym wiesz, że jest Twój.',
  'refused.address': 'Adres',
  'refused.count': 'Odrzucone żądania',
  'refused.last': 'Ostatnie',
  'refused.from': 'Z adresu IP',

  'signOut.title': 'Back-channel logout',
  'signOut.text': 'Aplikacja dowiaduje się, gdy sesja kończy się gdzie indziej.',
  'signOut.uri': 'Back-channel logout URI',
  'signOut.uriHint': 'Otrzymuje podpisany logout token przez POST. Puste: aplikacja nie jest powiadamiana.',

  'identity.title': 'Tożsamość użytkowników',
  'identity.text': 'Pod jakim identyfikatorem aplikacja zna użytkowników i co mówią o nich tokeny ID.',
  'identity.subjectType': 'Identyfikator (sub)',
  'identity.public': 'ID użytkownika',
  'identity.pairwise': 'Własny (pairwise)',
  'identity.change': 'Zmiana nadaje każdemu użytkownikowi inny identyfikator: aplikacja nikogo nie rozpozna.',
  'identity.sector': 'Sector identifier URI',
  'identity.sectorHint':
    'Wymienia adresy przekierowań wszystkich aplikacji o wspólnych identyfikatorach. Puste: host adresów przekierowań.',
  'identity.claims': 'Claims w tokenach ID',
  'identity.scopes': 'Te z żądanych scopes',
  'identity.requested': 'Tylko wymienione w żądaniu',
  'identity.userinfo': 'Odpowiedź userinfo',
  'identity.find': 'Znajdź użytkownika',
  'identity.findText': 'Kogo oznacza identyfikator podany przez aplikację i pod jakim zna ona użytkownika.',
  'identity.named': 'ID użytkownika lub sub',
  'identity.unknown': 'Żaden użytkownik nie ma tutaj tego identyfikatora.',
  'identity.userId': 'ID użytkownika',

  'customData.title': 'Dane niestandardowe',
  'customData.text': 'Przechowywane dla Twoich programów. Serwer nigdy ich nie czyta.',

  'authentication.title': 'Uwierzytelnianie',
  'authentication.text': 'Jak aplikacja potwierdza swoją tożsamość w token endpoint.',
  'authentication.method': 'Metoda',
  'authentication.client_secret_basic': 'Secret w nagłówku (Basic)',
  'authentication.client_secret_post': 'Secret w treści żądania (POST)',
  'authentication.private_key_jwt': 'Klucz prywatny (JWT)',
  'authentication.keys': 'Klucze publiczne',
  'authentication.keysHint':
    'JSON Web Key Set z kluczami RSA, P-256, P-384 lub Ed25519. Klucze prywatne pozostają w aplikacji.',

  'exchange.title': 'Wymiana tokenów',
  'exchange.text':
    'Usługi działają za użytkowników lub wywołują w ich imieniu kolejne API, mając token otrzymany w zamian za inny.',
  'exchange.only': 'Tylko te',
  'exchange.subjects': 'Przyjmuje tokeny dla',
  'exchange.anyApi': 'Dowolne API',
  'exchange.targets': 'Dostaje tokeny dla',
  'exchange.anyTarget': 'Dowolne API oprócz Management API',

  'introspection.title': 'Introspekcja',
  'introspection.text': 'API pyta, czy otrzymany token jest ważny.',
  'introspection.apis': 'Może sprawdzać tokeny dla',
  'introspection.every': 'Każde API: wszystkie tokeny tego tenanta',

  'look.title': 'Na stronach logowania',
  'look.text': 'To, co puste, wygląda jak we wszystkich aplikacjach.',
  'look.displayName': 'Nazwa wyświetlana',
  'look.displayNameHint': 'Co widzą użytkownicy zamiast nazwy.',
  'look.thirdParty':
    'Regulamin i polityka prywatności aplikacji zewnętrznej są pokazywane tam, gdzie użytkownicy są proszeni o zgodę.',
  'look.customCssText': 'CSS po arkuszu wszystkich stron. Nie wczytuje niczego z innych adresów.',
  'look.dark.tenant': 'Jak we wszystkich aplikacjach',
  'look.dark.true': 'Włączony',
  'look.dark.false': 'Wyłączony',

  'application.tab.access': 'Dostęp',
  'application.tab.consent': 'Zgoda',
  'application.tab.roles': 'Role',

  'access.title': 'Kto może się logować',
  'access.openText': 'Z aplikacji może korzystać każdy użytkownik tego tenanta.',
  'access.limitedText': 'Z aplikacji mogą korzystać tylko użytkownicy dopuszczeni przez jedną z poniższych list.',
  'access.limit': 'Tylko dopuszczeni użytkownicy',
  'access.limitText': 'Sprawdzane przy każdym logowaniu.',
  'access.limitFirst': 'Najpierw dopuść użytkowników, rolę lub organizację.',
  'access.noUsers': 'Brak użytkowników.',
  'access.noRoles': 'Brak ról.',
  'access.noOrganizations': 'Brak organizacji.',
  'access.userText': 'Użytkownik będzie mógł korzystać z aplikacji.',
  'access.roleText': 'Z aplikacji będą mogli korzystać wszyscy użytkownicy z tą rolą.',
  'access.organizationText': 'W następnym kroku wybierzesz, którzy członkowie mogą korzystać z aplikacji.',
  'access.addOrganization': 'Dodaj organizację',
  'access.rolesText':
    'Zaznacz role, aby dopuścić tylko członków z jedną z nich; bez zaznaczenia dopuszczeni są wszyscy.',
  'access.admitAll': 'Dopuść wszystkich członków',
  'access.admitRoles': 'Dopuść te role',
  'access.allMembers': 'Wszyscy członkowie',
  'access.withRoles': 'Członkowie z rolą: {roles}',
  'access.remove': 'Usuń',

  'machine.rolesText': 'Co aplikacja może robić, począwszy od następnego tokenu.',
  'machine.noRoles': 'Brak ról.',
  'machine.addRoleText': 'Aplikacja otrzyma uprawnienia tej roli z następnym tokenem.',
  'machine.organizationsText': 'Gdzie aplikacja należy i jakie ma tam role.',
  'machine.management': 'Management API',
  'machine.managementText': 'Role dają jego pojedyncze uprawnienia. Ta opcja daje wszystkie.',
  'machine.admin': 'Pełny dostęp do Management API',
  'machine.adminText': 'Może odczytywać i zmieniać wszystko w tym tenancie.',
  'machine.adminWarning':
    'Każdy, kto ma jej secret, będzie mógł odczytywać i zmieniać wszystko w tym tenancie, w tym użytkowników i secrety.',
  'machine.give': 'Przyznaj pełny dostęp',

  'consent.title': 'O użytkowniku',
  'consent.text':
    'O co aplikacja może prosić użytkowników. Wszystko inne w jej żądaniach jest pomijane; użytkownicy widzą resztę i wyrażają zgodę.',
  'consent.profile': 'Imię i nazwisko, zdjęcie i inne dane profilu',
  'consent.email': 'Adres e-mail',
  'consent.phone': 'Numer telefonu',
  'consent.address': 'Adres pocztowy',
  'consent.customData': 'Dane niestandardowe',
  'consent.identities': 'Połączone konta',
  'consent.roles': 'Role',
  'consent.organizations': 'Organizacje',
  'consent.organizationRoles': 'Role w organizacjach',
  'consent.sessions': 'Sesje',
  'consent.trustedDevices': 'Zaufane urządzenia',
  'consent.ownText': 'Uprawnienia w organizacjach, w których użytkownik pozwala aplikacji działać.',
  'consent.inOrganizations': '{name}, w organizacjach',

  'create.thirdParty': 'Aplikacja zewnętrzna',
  'create.thirdPartyText':
    'Prowadzona przez inną firmę: użytkownicy są proszeni o zgodę na to, co może robić. Później nie można tego zmienić.',
  'start.verification': 'Strona, na której użytkownicy wpisują kod',
}
