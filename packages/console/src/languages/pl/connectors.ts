/** The phrases of `en/connectors.ts` in Polish. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text':
    'Usługi, które przenoszą wiadomości do użytkowników, i dostawcy, u których użytkownicy się logują.',
  'connectors.email': 'E-mail',
  'connectors.emailText': 'Wysyła kody, linki i powiadomienia e-mailem.',
  'connectors.noEmail': 'Nie skonfigurowano: użytkownicy nie mogą otrzymywać kodów ani linków e-mailem.',
  'connectors.sms': 'SMS-y',
  'connectors.smsText': 'Wysyła kody na telefony.',
  'connectors.noSms': 'Nie skonfigurowano: użytkownicy nie mogą logować się numerem telefonu i kodem.',
  'connectors.social': 'Logowanie społecznościowe',
  'connectors.socialText': 'Użytkownicy logują się kontem, które mają gdzie indziej.',
  'connectors.noSocial': 'Jeszcze żadnego.',
  'connectors.sso': 'Firmowe SSO',
  'connectors.ssoText': 'Użytkownicy z adresem w domenie firmy logują się u jej dostawcy tożsamości.',
  'connectors.noSso': 'Jeszcze żadnego.',
  'connectors.ssoOff':
    'Firmowe SSO jest wyłączone: żaden użytkownik nie jest kierowany do tych dostawców tożsamości. Otwórz jednego z nich, aby je włączyć.',
  'connectors.setUp': 'Skonfiguruj',
  'connectors.replace': 'Zastąp',
  'connectors.addSocial': 'Dodaj dostawcę',
  'connectors.addSso': 'Dodaj firmę',
  'connectors.notOffered': 'Nieoferowany',
  'connectors.noDomains': '{provider} · nie ma jeszcze domen',
  'connectors.incomplete': 'Niekompletny',
  'connectors.complete': 'Kompletny',
  'connectors.incompleteText':
    'Konfiguracja nie jest kompletna: do tego czasu żaden użytkownik nie jest kierowany do tego dostawcy tożsamości.',
  'connectors.choose': 'Wybierz usługę.',
  'connectors.create': 'Utwórz konektor',
  'connectors.created': 'Utworzono: {name}',
  'connectors.replaces': 'Po utworzeniu zastąpi: {name}.',
  'connectors.settings': 'Konfiguracja',
  'connectors.optional': 'Więcej ustawień',
  'connectors.default': 'Domyślnie',
  'connectors.yes': 'Tak',
  'connectors.no': 'Nie',
  'connectors.noJson': 'To nie jest prawidłowy JSON.',
  'connectors.target': 'Identyfikator dostawcy',
  'connectors.targetHint': 'Pod nim są przechowywane tożsamości użytkowników. Później nie można go zmienić.',
  'connectors.nameHint': 'Tak jak na przycisku na stronie logowania.',
  'connectors.syncProfile': 'Aktualizuj profil przy każdym logowaniu',
  'connectors.syncProfile.hint':
    'Imię, nazwisko i zdjęcie są takie jak u dostawcy. Wyłączone: są przejmowane tylko przy rejestracji.',
  'connectors.enableTokenStorage': 'Przechowuj tokeny dostawcy',
  'connectors.enableTokenStorage.hint':
    'W postaci zaszyfrowanej, aby aplikacje mogły wywoływać jego API za użytkownika. Wyłączone: przechowywane tokeny są usuwane.',
  'connectors.setup': 'Konfiguracja u dostawcy',
  'connectors.callback': 'Redirect URI (adres callback)',
  'connectors.callbackHint': 'Zarejestruj go u dostawcy dokładnie w tej postaci.',
  'connectors.callbackLater':
    'Adres URI przekierowania do zarejestrowania u dostawcy pojawi się tutaj do skopiowania zaraz po utworzeniu łącznika.',
  'connectors.offered': 'Oferuj na stronie logowania',
  'connectors.offeredText': 'Użytkownicy widzą odpowiedni przycisk.',
  'connectors.check': 'Sprawdź dostawcę',
  'connectors.checked': 'To, czy dostawca zna client ID i redirect URI, okaże się przy pierwszym logowaniu.',
  'connectors.check.ok': 'Można tam kierować użytkowników',
  'connectors.check.warning': 'Można tam kierować użytkowników, ale już niedługo',
  'connectors.check.problem': 'Użytkownicy nie mogą się tam zalogować',
  'connectors.ssoSetupText': 'Co musi wiedzieć dostawca tożsamości firmy.',
  'connectors.ssoLater':
    'Na razie wystarczą nazwa i domeny: po utworzeniu zobaczysz adresy potrzebne dostawcy tożsamości i uzupełnisz konfigurację tym, co od niego otrzymasz.',
  'connectors.entityId': 'Entity ID i adres metadanych',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'Domeny e-mail',
  'connectors.domainsHint':
    'Po jednej w wierszu. Użytkownicy z takimi adresami logują się w firmie, a nie hasłem czy kodem.',
  'connectors.ssoSwitch': 'Firmowe SSO w tym tenancie',
  'connectors.ssoSwitchText': 'Wyłączone: żaden użytkownik nie jest kierowany do dostawcy tożsamości żadnej firmy.',
  'connectors.delete': 'Usuń konektor',
  'connectors.deleteText': 'Wiadomości tego rodzaju nie będą już wysyłane. Tego nie można cofnąć.',
  'connectors.deleteSocialText': 'Użytkownicy nie będą mogli logować się przez tego dostawcę. Tego nie można cofnąć.',
  'connectors.deleteSsoText':
    'Użytkownicy pozostaną, ale stracą tożsamości w tej firmie i będą musieli logować się inaczej. Tego nie można cofnąć.',
  'connectors.deleted': 'Usunięto: {name}',
  'connectors.test': 'Wiadomość testowa',
  'connectors.testText': 'Wysyłana z konfiguracją wpisaną powyżej, także przed jej zapisaniem.',
  'connectors.testEmail': 'Wyślij na adres e-mail',
  'connectors.testPhone': 'Wyślij na numer telefonu',
  'connectors.send': 'Wyślij wiadomość testową',
  'connectors.tested': 'Wiadomość została przyjęta. Powinna dotrzeć za chwilę.',
  'connectors.advice.address':
    'Sprawdź nazwę hosta. Adres, który nie jest publiczny, musi być podany w OUTBOUND_ALLOW serwera.',
  'connectors.advice.plain':
    'Hasło przeszłoby przez sieć bez szyfrowania. Użyj portu dla TLS (465 z „secure” lub 587) albo innego serwera.',
  'connectors.advice.connect':
    'Sprawdź host i port oraz to, czy firewall między tym serwerem a serwerem poczty lub dostawcą przepuszcza połączenie.',
  'connectors.advice.tls':
    'Szyfrowane połączenie nie powiodło się. Sprawdź, czy port używa TLS od razu („secure”), czy STARTTLS, i czy certyfikat jest ważny dla tego hosta.',
  'connectors.advice.login':
    'Dane dostępowe zostały odrzucone. Sprawdź nazwę użytkownika i hasło albo klucz i jego uprawnienia.',
  'connectors.advice.sender':
    'Nadawca został odrzucony. Musi to być nadawca zweryfikowany przez dostawcę dla tego konta.',
  'connectors.advice.recipient':
    'Odbiorca został odrzucony. Na koncie próbnym dostawcy wysyłają tylko do zweryfikowanych u nich odbiorców.',
  'connectors.advice.message': 'Wiadomość została odrzucona. Sprawdź szablony.',
  'connectors.advice.limit': 'Osiągnięto limit konta. Poczekaj lub zwiększ go u dostawcy.',
  'connectors.advice.fault': 'Dostawca ma awarię. Spróbuj później lub zajrzyj na jego stronę statusu.',
  'connectors.advice.protocol':
    'To, co odpowiedziało, nie używa oczekiwanego protokołu. Sprawdź port i to, czy adres należy do tej usługi.',
}
