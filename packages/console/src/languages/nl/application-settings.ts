/** The phrases of `en/application-settings.ts` in Dutch. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Huisstijl',
  'tokens.maxAllowedGrants': 'Apparaten per gebruiker',
  'tokens.maxAllowedGrants.hint': 'Inloggen op nog een apparaat logt het oudste uit. Leeg: onbeperkt.',
  'tokens.algorithm': 'Algoritme van ID-tokens',
  'tokens.algorithmOfTenant': 'Dat van de huidige sleutel',

  'refused.title': 'Dit adres toevoegen?',
  'refused.text':
    'Gebruikers worden er na het inloggen met hun codes naartoe gestuurd. Iedereen kan deze vermelding veroorzaken door een link te openen: voeg alleen een adres toe waarvan je weet dat het van jou is.',
  'refused.address': 'Adres',
  'refused.count': 'Geweigerde verzoeken',
  'refused.last': 'Laatste',
  'refused.from': 'Van IP-adres',

  'signOut.title': 'Back-channel logout',
  'signOut.text': 'De applicatie krijgt bericht wanneer een sessie elders eindigt.',
  'signOut.uri': 'URI voor back-channel logout',
  'signOut.uriHint': 'Krijgt per POST een ondertekend logout token. Leeg: krijgt geen bericht.',

  'identity.title': 'Identiteit van gebruikers',
  'identity.text': 'Onder welke identificatie de applicatie gebruikers kent en wat ID-tokens over hen zeggen.',
  'identity.subjectType': 'Identificatie (sub)',
  'identity.public': 'De ID van de gebruiker',
  'identity.pairwise': 'Een eigen (pairwise)',
  'identity.change': 'Een wijziging geeft elke gebruiker een andere identificatie: de applicatie herkent niemand meer.',
  'identity.sector': 'Sector identifier URI',
  'identity.sectorHint':
    'Somt de redirect-URI’s op van alle applicaties die identificaties delen. Leeg: de host van de redirect-URI’s.',
  'identity.claims': 'Claims in ID-tokens',
  'identity.scopes': 'Die van de gevraagde scopes',
  'identity.requested': 'Alleen die het verzoek noemt',
  'identity.userinfo': 'Antwoord van userinfo',
  'identity.find': 'Gebruiker zoeken',
  'identity.findText':
    'Wie bedoeld is met een identificatie die de applicatie meldt, en onder welke ze een gebruiker kent.',
  'identity.named': 'Gebruikers-ID of sub',
  'identity.unknown': 'Geen gebruiker van deze tenant heeft deze identificatie.',
  'identity.userId': 'Gebruikers-ID',

  'customData.title': 'Eigen gegevens',
  'customData.text': 'Bewaard voor je eigen programma’s. De server leest ze nooit.',

  'authentication.title': 'Authenticatie',
  'authentication.text': 'Hoe de applicatie bij het token-endpoint bewijst wie ze is.',
  'authentication.method': 'Methode',
  'authentication.client_secret_basic': 'Geheim, in een header (Basic)',
  'authentication.client_secret_post': 'Geheim, in de body (POST)',
  'authentication.private_key_jwt': 'Privésleutel (JWT)',
  'authentication.keys': 'Publieke sleutels',
  'authentication.keysHint':
    'Een JSON Web Key Set met RSA-, P-256-, P-384- of Ed25519-sleutels. De privésleutels blijven bij de applicatie.',

  'exchange.title': 'Token exchange',
  'exchange.text':
    'Diensten handelen voor gebruikers, of roepen namens hen andere API’s aan, met een token in ruil voor een ander.',
  'exchange.only': 'Alleen deze',
  'exchange.subjects': 'Accepteert tokens voor',
  'exchange.anyApi': 'Elke API',
  'exchange.targets': 'Krijgt tokens voor',
  'exchange.anyTarget': 'Elke API behalve de Management API',

  'introspection.title': 'Introspection',
  'introspection.text': 'Een API vraagt of een ontvangen token geldig is.',
  'introspection.apis': 'Mag tokens controleren voor',
  'introspection.every': 'Elke API: alle tokens van deze tenant',

  'look.title': 'Op de inlogpagina’s',
  'look.text': 'Wat leeg is, ziet eruit als bij alle applicaties.',
  'look.displayName': 'Weergavenaam',
  'look.displayNameHint': 'Wat gebruikers in plaats van de naam zien.',
  'look.thirdParty': 'Voorwaarden en privacybeleid van een derde partij staan waar om toestemming wordt gevraagd.',
  'look.customCssText': 'CSS achter die van alle pagina’s. Er wordt niets van andere adressen geladen.',
  'look.dark.tenant': 'Zoals voor alle applicaties',
  'look.dark.true': 'Aan',
  'look.dark.false': 'Uit',

  'application.tab.access': 'Toegang',
  'application.tab.consent': 'Toestemming',
  'application.tab.roles': 'Rollen',

  'access.title': 'Wie mag inloggen',
  'access.openText': 'Elke gebruiker van deze tenant mag de applicatie gebruiken.',
  'access.limitedText': 'Alleen gebruikers die een van de lijsten hieronder toelaat, mogen de applicatie gebruiken.',
  'access.limit': 'Alleen toegelaten gebruikers',
  'access.limitText': 'Bij elke keer inloggen gecontroleerd.',
  'access.limitFirst': 'Laat eerst gebruikers, een rol of een organisatie toe.',
  'access.noUsers': 'Geen gebruikers.',
  'access.noRoles': 'Geen rollen.',
  'access.noOrganizations': 'Geen organisaties.',
  'access.userText': 'De gebruiker mag de applicatie gebruiken.',
  'access.roleText': 'Alle gebruikers met de rol mogen de applicatie gebruiken.',
  'access.organizationText': 'Daarna kies je welke leden de applicatie mogen gebruiken.',
  'access.addOrganization': 'Organisatie toevoegen',
  'access.rolesText':
    'Vink rollen aan om alleen leden met een daarvan toe te laten; zonder rollen worden alle leden toegelaten.',
  'access.admitAll': 'Alle leden toelaten',
  'access.admitRoles': 'Deze rollen toelaten',
  'access.allMembers': 'Alle leden',
  'access.withRoles': 'Leden met: {roles}',
  'access.remove': 'Verwijderen',

  'machine.rolesText': 'Wat de applicatie mag doen, vanaf haar volgende token.',
  'machine.noRoles': 'Geen rollen.',
  'machine.addRoleText': 'De applicatie krijgt de rechten van de rol met haar volgende token.',
  'machine.organizationsText': 'Waar de applicatie lid is, met haar rollen daar.',
  'machine.management': 'Management API',
  'machine.managementText': 'Rollen geven losse rechten ervan. Dit geeft ze allemaal.',
  'machine.admin': 'Volledige toegang tot de Management API',
  'machine.adminText': 'Ze kan alles in deze tenant lezen en wijzigen.',
  'machine.adminWarning':
    'Wie haar geheim heeft, kan dan alles in deze tenant lezen en wijzigen, ook gebruikers en geheimen.',
  'machine.give': 'Volledige toegang geven',

  'consent.title': 'Over de gebruiker',
  'consent.text':
    'Waar de applicatie gebruikers om mag vragen. Al het andere in haar verzoeken wordt genegeerd; gebruikers zien de rest en stemmen toe.',
  'consent.profile': 'Naam, foto en andere profielgegevens',
  'consent.email': 'E-mailadres',
  'consent.phone': 'Telefoonnummer',
  'consent.address': 'Postadres',
  'consent.customData': 'Eigen gegevens',
  'consent.identities': 'Gekoppelde accounts',
  'consent.roles': 'Rollen',
  'consent.organizations': 'Organisaties',
  'consent.organizationRoles': 'Rollen in organisaties',
  'consent.sessions': 'Sessies',
  'consent.trustedDevices': 'Vertrouwde apparaten',
  'consent.ownText': 'Rechten van de organisaties waarvoor de gebruiker de applicatie laat handelen.',
  'consent.inOrganizations': '{name}, in organisaties',

  'create.thirdParty': 'Applicatie van een derde partij',
  'create.thirdPartyText':
    'Van een ander bedrijf: gebruikers wordt om toestemming gevraagd voor wat ze mag. Kan later niet worden gewijzigd.',
  'start.verification': 'Pagina waar gebruikers de code invullen',
}
