/** The phrases of `en/scim.ts` in Dutch. */
import type { scim as english } from '../en/scim.ts'

export const scim: Readonly<Record<keyof typeof english, string>> = {
  'scim.text':
    'Hierdoor kunnen identiteitsproviders zoals Entra ID of Okta gebruikers aanmaken, wijzigen en deactiveren.',
  'scim.create': 'Directory aanmaken',
  'scim.createText': 'Ze levert gebruikers van de tenant. Voor de leden van één organisatie maak je haar daar.',
  'scim.createOrganizationText': 'Ze levert de leden van deze organisatie.',
  'scim.none': 'Nog geen directory’s',
  'scim.noneText': 'Maak er een voor elke identiteitsprovider die gebruikers moet leveren.',
  'scim.noDirectories': 'Geen directory’s.',
  'scim.organizationText': 'Een bedrijf levert zijn eigen leden vanuit zijn identiteitsprovider.',
  'scim.provisions': 'Levert',
  'scim.provisionsText': 'De gebruikers worden lid van deze organisatie.',
  'scim.tenant': 'Gebruikers van de tenant',
  'scim.state': 'Toestand',
  'scim.enabled': 'Aan',
  'scim.disabled': 'Uit',
  'scim.tab.connect': 'Verbinden',
  'scim.tab.groups': 'Groepen',
  'scim.tab.activity': 'Activiteit',
  'scim.tab.settings': 'Instellingen',
  'scim.address': 'Adres',
  'scim.addressText': 'Vul het in bij de identiteitsprovider, met een token van hieronder.',
  'scim.baseUrl': 'SCIM-basis-URL (tenant-URL)',
  'scim.domains': 'E-maildomeinen',
  'scim.domainsHint': 'Eén per regel. Adressen daar tellen als geverifieerd als de directory ze stuurt.',
  'scim.isEnabled': 'Aan',
  'scim.isEnabled.hint': 'Staat ze uit, dan wordt elk verzoek van de identiteitsprovider geweigerd.',
  'scim.linksUsers': 'Bestaande gebruikers koppelen',
  'scim.linksUsers.hint':
    'Gebruikers met een geverifieerd adres op een van de domeinen worden overgenomen in plaats van geweigerd.',
  'scim.restrictsDomains': 'Alleen deze domeinen',
  'scim.restrictsDomains.hint': 'Gebruikers met een adres op een ander domein worden geweigerd.',
  'scim.deletesUsers': 'Accounts verwijderen',
  'scim.deletesUsers.hint':
    'Verwijderen daar verwijdert het account hier. Anders wordt het account geblokkeerd, of verlaat het alleen de organisatie.',
  'scim.delete': 'Directory verwijderen',
  'scim.deleteText':
    'Met haar tokens en groepen. Haar gebruikers blijven zoals ze zijn. Dit kan niet ongedaan worden gemaakt.',
  'scim.noActivity': 'De identiteitsprovider heeft nog niet aangeroepen.',
  'scim.allActivity': 'In het logboek tonen',

  'scimTokens.title': 'Tokens',
  'scimTokens.text':
    'Om er een te vervangen: maak een ander, vul het in bij de identiteitsprovider, en verwijder dan het eerste.',
  'scimTokens.none': 'Geen tokens: de identiteitsprovider kan niet aanroepen.',
  'scimTokens.add': 'Token aanmaken',
  'scimTokens.addText': 'Het werkt meteen, naast de bestaande.',
  'scimTokens.created': 'Kopieer het token nu',
  'scimTokens.once': 'Het wordt alleen deze keer getoond.',
  'scimTokens.kept': 'Ik heb het gekopieerd',
  'scimTokens.delete': 'Token verwijderen',
  'scimTokens.deleteText':
    'Gebruikt de identiteitsprovider het nog, dan wordt hij vanaf zijn volgende verzoek geweigerd.',

  'scimGroups.members': 'Leden: {count}',
  'scimGroups.rolesText': 'Leden van de groep krijgen deze rollen, en verliezen die welke geen andere groep hun geeft.',
  'scimGroups.none': 'Nog geen groepen',
  'scimGroups.noneText': 'Groepen verschijnen als de identiteitsprovider ze stuurt. Hier kies je de rollen van elk.',
}
