/** The phrases of `en/shell.ts` in Dutch. */
import type { shell as english } from '../en/shell.ts'

export const shell: Readonly<Record<keyof typeof english, string>> = {
  'page.title': '{title} · Countersign',
  'nav.home': 'Start',
  'nav.applications': 'Applicaties',
  'nav.users': 'Gebruikers',
  'nav.log': 'Logboek',
  'nav.organizations': 'Organisaties',
  'nav.administrators': 'Beheerders',

  'shell.navigation': 'Schermen',
  'shell.showNavigation': 'Navigatie tonen',
  'shell.hideNavigation': 'Navigatie verbergen',
  'shell.search': 'Zoeken',
  'shell.skip': 'Naar de inhoud',

  'menu.account': 'Mijn account',
  'menu.theme': 'Thema',
  'menu.language': 'Taal',
  'menu.signOut': 'Uitloggen',
  'theme.system': 'Zoals het systeem',
  'theme.light': 'Licht',
  'theme.dark': 'Donker',

  'session.ended': 'Je sessie is beëindigd',
  'session.endedText': 'Log opnieuw in om verder te gaan. Wat je op deze pagina hebt ingevuld, blijft bewaard.',
  'session.signIn': 'Inloggen',
  'session.proof': 'Bevestig dat jij het bent',
  'session.proofText':
    'Voor deze wijziging moet je net hebben ingelogd. Wat je op deze pagina hebt ingevuld, blijft bewaard.',
  'session.confirm': 'Doorgaan',

  'notOpened.title': 'De console kan niet worden geopend',
  'notOpened.address': 'Ze is op een ander adres geopend dan dat van de server. Ze is hier:',

  'palette.placeholder': 'Naar een scherm, applicatie of gebruiker…',
  'palette.results': 'Resultaten',
  'palette.nothing': 'Niets gevonden',
  'palette.screen': 'Scherm',
  'palette.application': 'Applicatie',
  'palette.user': 'Gebruiker',

  'action.retry': 'Opnieuw proberen',
  'action.cancel': 'Annuleren',
  'action.close': 'Sluiten',
  'action.save': 'Wijzigingen opslaan',
  'action.discard': 'Verwerpen',
  'action.delete': 'Verwijderen',
  'action.undo': 'Ongedaan maken',
  'action.clear': 'Filters wissen',
  'action.notNow': 'Niet nu',
  'action.copy': 'Kopiëren: {what}',
  'action.copied': 'Gekopieerd',

  'state.loading': 'Laden',
  'state.offline': 'De server is niet bereikbaar. Er is niets gewijzigd.',
  'state.unknown':
    'De verbinding viel weg tijdens het opslaan. Of het is opgeslagen, is nog niet bekend; wat je hebt ingevuld, blijft bewaard.',
  'state.unknownBack':
    'De verbinding viel weg tijdens het opslaan. Ze is terug, en deze pagina toont wat de server heeft: ontbreekt je wijziging, sla haar dan opnieuw op.',
  'state.unknownOne': 'De verbinding viel weg: of het is gebeurd, is niet bekend.',
  'connection.lost': 'De server is niet bereikbaar.',
  'connection.lostText': 'Probeert het vanzelf opnieuw. Wat je hebt ingevuld, blijft bewaard.',
  'state.failed': 'Dat is niet gelukt.',
  'state.request': 'Verzoek {id}',
  'state.notFound': 'Deze pagina bestaat niet',
  'state.noPermission': 'Je rol omvat dit scherm niet',
  'state.noMatch': 'Niets komt overeen',
  'state.noMatchText': 'Wijzig of wis de filters.',

  'conflict.title': 'Dit is intussen gewijzigd',
  'conflict.text': '{name} heeft dezelfde velden gewijzigd. Welke waarden moeten blijven?',
  'conflict.textWhen': '{name} heeft {when} dezelfde velden gewijzigd. Welke waarden moeten blijven?',
  'conflict.other': 'Een andere beheerder',
  'conflict.self': 'Jij (in een ander venster)',
  'conflict.mine': 'Jij',
  'conflict.takeTheirs': 'Andere overnemen',
  'conflict.keepMine': 'Mijne houden',
  'conflict.merged': '{name} heeft dit ook gewijzigd. Beide wijzigingen zijn opgeslagen.',
  'conflict.mergedMembers': '{name} heeft intussen {members} gewijzigd. Beide wijzigingen zijn opgeslagen.',
  'conflict.notSaved': 'Niet opgeslagen: dit is intussen gewijzigd. Wat je hebt ingevuld, blijft bewaard.',

  'confirm.type': 'Typ ter bevestiging',
  'form.required': 'Dit is verplicht.',
  'form.saved': 'Opgeslagen',

  'table.columns': 'Kolommen',
  'table.pages': 'Pagina’s',
  'table.range': '{from}–{to} van {total}',
  'table.previous': 'Vorige pagina',
  'table.next': 'Volgende pagina',

  'api.show': 'API-aanroep tonen',
  'api.title': 'Hetzelfde via de API',
  'api.text': '$TOKEN is een toegangstoken voor de Management API.',
  'api.file': 'Hetzelfde als bestand',
  'api.fileText':
    'Regels van een tenantbestand voor wat dit scherm toont. Wat ze weglaten, blijft zoals het is; geheimen zijn omgevingsvariabelen.',
  'api.shell': 'In een shell',

  'create.kind': 'Wat is het?',
  'create.namePlaceholder': 'Klantenportaal',
  'create.redirect': 'Redirect-URI',
  'create.redirectHint': 'Waar gebruikers na het inloggen terugkomen. Later kun je er meer toevoegen.',
}
