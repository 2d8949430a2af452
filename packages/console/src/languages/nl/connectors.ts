/** The phrases of `en/connectors.ts` in Dutch. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'Diensten die berichten naar gebruikers brengen, en aanbieders bij wie gebruikers inloggen.',
  'connectors.email': 'E-mail',
  'connectors.emailText': 'Verstuurt codes, links en meldingen per e-mail.',
  'connectors.noEmail': 'Niet ingesteld: gebruikers kunnen geen codes of links per e-mail krijgen.',
  'connectors.sms': 'Sms',
  'connectors.smsText': 'Verstuurt codes naar telefoons.',
  'connectors.noSms': 'Niet ingesteld: gebruikers kunnen niet inloggen met een telefoonnummer en een code.',
  'connectors.social': 'Social login',
  'connectors.socialText': 'Gebruikers loggen in met het account dat ze elders hebben.',
  'connectors.noSocial': 'Nog geen.',
  'connectors.sso': 'Enterprise SSO',
  'connectors.ssoText':
    'Gebruikers met een adres op het domein van een bedrijf loggen in bij diens identiteitsprovider.',
  'connectors.noSso': 'Nog geen.',
  'connectors.ssoOff':
    'Enterprise SSO staat uit: geen gebruiker wordt naar deze identiteitsproviders gestuurd. Open er een om het aan te zetten.',
  'connectors.setUp': 'Instellen',
  'connectors.replace': 'Vervangen',
  'connectors.addSocial': 'Aanbieder toevoegen',
  'connectors.addSso': 'Bedrijf toevoegen',
  'connectors.notOffered': 'Niet aangeboden',
  'connectors.noDomains': '{provider} · nog geen domeinen',
  'connectors.incomplete': 'Onvolledig',
  'connectors.complete': 'Volledig',
  'connectors.incompleteText':
    'De configuratie is niet volledig: tot dan wordt geen gebruiker naar deze identiteitsprovider gestuurd.',
  'connectors.choose': 'Kies de dienst.',
  'connectors.create': 'Connector aanmaken',
  'connectors.created': '{name} is aangemaakt',
  'connectors.replaces': 'Vervangt {name} zodra je hem aanmaakt.',
  'connectors.settings': 'Configuratie',
  'connectors.optional': 'Meer instellingen',
  'connectors.default': 'Standaard',
  'connectors.yes': 'Ja',
  'connectors.no': 'Nee',
  'connectors.noJson': 'Dit is geen geldige JSON.',
  'connectors.target': 'Naam van de aanbieder in gegevens',
  'connectors.targetHint': 'Identiteiten van gebruikers worden hieronder opgeslagen. Kan later niet worden gewijzigd.',
  'connectors.nameHint': 'Zoals de knop op de inlogpagina het zegt.',
  'connectors.syncProfile': 'Profiel bij elke keer inloggen bijwerken',
  'connectors.syncProfile.hint': 'Naam en foto volgen de aanbieder. Uit: ze worden alleen bij registratie overgenomen.',
  'connectors.enableTokenStorage': 'Tokens van de aanbieder bewaren',
  'connectors.enableTokenStorage.hint':
    'Versleuteld, zodat applicaties diens API voor de gebruiker kunnen aanroepen. Uit: bewaarde tokens worden verwijderd.',
  'connectors.setup': 'Inrichten',
  'connectors.callback': 'Redirect-URI (callback-adres)',
  'connectors.callbackHint': 'Registreer hem bij de aanbieder, precies zoals hij hier staat.',
  'connectors.callbackLater':
    'De redirect-URI die u bij de aanbieder registreert, staat hier om te kopiëren zodra de connector is aangemaakt.',
  'connectors.offered': 'Op de inlogpagina aanbieden',
  'connectors.offeredText': 'Gebruikers zien er een knop voor.',
  'connectors.check': 'Aanbieder controleren',
  'connectors.checked': 'Of de aanbieder de client en de redirect-URI kent, blijkt bij de eerste keer inloggen.',
  'connectors.check.ok': 'Gebruikers kunnen erheen worden gestuurd',
  'connectors.check.warning': 'Gebruikers kunnen erheen worden gestuurd, maar binnenkort niet meer',
  'connectors.check.problem': 'Gebruikers kunnen er niet inloggen',
  'connectors.ssoSetupText': 'Wat de identiteitsprovider van het bedrijf moet weten.',
  'connectors.ssoLater':
    'Naam en domeinen zijn voorlopig genoeg: na het aanmaken krijg je de adressen waar de identiteitsprovider om vraagt, en vul je de configuratie aan met wat hij je geeft.',
  'connectors.entityId': 'Entity ID, en adres van de metadata',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'E-maildomeinen',
  'connectors.domainsHint':
    'Eén per regel. Gebruikers met deze adressen loggen in bij het bedrijf, niet met wachtwoord of code.',
  'connectors.ssoSwitch': 'Enterprise SSO voor deze tenant',
  'connectors.ssoSwitchText': 'Uit: geen gebruiker wordt naar de identiteitsprovider van een bedrijf gestuurd.',
  'connectors.delete': 'Connector verwijderen',
  'connectors.deleteText': 'Berichten van deze soort worden niet meer verstuurd. Dit kan niet ongedaan worden gemaakt.',
  'connectors.deleteSocialText':
    'Gebruikers kunnen niet meer met deze aanbieder inloggen. Dit kan niet ongedaan worden gemaakt.',
  'connectors.deleteSsoText':
    'De gebruikers blijven, verliezen hun identiteit bij het bedrijf en moeten anders inloggen. Dit kan niet ongedaan worden gemaakt.',
  'connectors.deleted': '{name} is verwijderd',
  'connectors.test': 'Testbericht',
  'connectors.testText': 'Verstuurd met de configuratie zoals die hierboven staat, ook voor het opslaan.',
  'connectors.testEmail': 'Naar e-mailadres sturen',
  'connectors.testPhone': 'Naar telefoonnummer sturen',
  'connectors.send': 'Testbericht versturen',
  'connectors.tested': 'Het bericht is geaccepteerd. Het hoort zo aan te komen.',
  'connectors.advice.address':
    'Controleer de hostnaam. Een adres dat niet openbaar is, moet in OUTBOUND_ALLOW van de server staan.',
  'connectors.advice.plain':
    'Het wachtwoord zou onversleuteld over het netwerk gaan. Gebruik de poort voor TLS (465 met ‘secure’, of 587), of een andere server.',
  'connectors.advice.connect':
    'Controleer host en poort, en of een firewall tussen deze server en de mailserver of aanbieder de verbinding doorlaat.',
  'connectors.advice.tls':
    'De versleutelde verbinding is mislukt. Controleer of de poort meteen TLS spreekt (‘secure’) of STARTTLS, en of het certificaat geldig is voor de host.',
  'connectors.advice.login':
    'De inloggegevens zijn geweigerd. Controleer gebruikersnaam en wachtwoord, of de sleutel en zijn rechten.',
  'connectors.advice.sender':
    'De afzender is geweigerd. Het moet er een zijn die de aanbieder voor dit account heeft geverifieerd.',
  'connectors.advice.recipient':
    'De ontvanger is geweigerd. Met een proefaccount versturen aanbieders alleen naar ontvangers die je daar hebt geverifieerd.',
  'connectors.advice.message': 'Het bericht is geweigerd. Controleer de sjablonen.',
  'connectors.advice.limit': 'De limiet van het account is bereikt. Wacht, of verhoog die bij de aanbieder.',
  'connectors.advice.fault': 'De aanbieder heeft zelf een storing. Probeer het later, of kijk op zijn statuspagina.',
  'connectors.advice.protocol':
    'Wat antwoordde, spreekt niet het verwachte protocol. Controleer de poort, en of het adres dat van de dienst is.',
}
