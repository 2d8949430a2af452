/** The phrases of en-apis.ts in German. */
import type { apis as english } from './en-apis.ts'

export const apis: Readonly<Record<keyof typeof english, string>> = {
  'nav.apis': 'APIs',
  'nav.roles': 'Rollen',

  'apis.text': 'Dienste, die Token dieses Servers annehmen, und die Berechtigungen, die sie kennen.',
  'apis.create': 'API anlegen',
  'apis.createText': 'Ihren Indikator fordern Anwendungen an; er ist die Zielgruppe (audience) ihrer Token.',
  'apis.created': '{name} wurde angelegt',
  'apis.search': 'Nach Name oder Indikator suchen',
  'apis.name': 'Name',
  'apis.namePlaceholder': 'Bestellungen',
  'apis.indicator': 'Indikator',
  'apis.indicatorHint': 'Eine absolute URI, etwa die Adresse der API. Sie kann später nicht geändert werden.',
  'apis.permissions': 'Berechtigungen',
  'apis.lifetime': 'Lebensdauer der Token',
  'apis.seconds': '{count} s',
  'apis.default': 'Standard-API',
  'apis.builtIn': 'Eingebaut',
  'apis.none': 'Noch keine APIs',
  'apis.noneText': 'Die Dienste, die Anwendungen aufrufen, und was dort erlaubt sein kann.',

  'api.tab.permissions': 'Berechtigungen',
  'api.tab.roles': 'Rollen',
  'api.tab.settings': 'Einstellungen',
  'api.builtInText':
    'Das ist die API dieses Servers. Ihre Berechtigungen gehören zum Programm und können nicht geändert werden.',
  'api.settings': 'Allgemein',
  'api.lifetime': 'Lebensdauer von Access-Token',
  'api.lifetimeHint': 'Sekunden. Eine kürzere gilt ab dem nächsten Token.',
  'api.isDefault': 'Standard-API',
  'api.isDefaultText':
    'Fordert eine Anwendung keine API an, sind ihre Token für diese bestimmt. Es gibt höchstens eine.',
  'api.delete': 'API löschen',
  'api.deleteText':
    'Ihre Berechtigungen werden gelöscht, Rollen verlieren sie. Anwendungen erhalten keine Token mehr für sie. Das kann nicht rückgängig gemacht werden.',
  'api.deleted': '{name} wurde gelöscht',
  'api.findPermission': 'Berechtigungen suchen',
  'api.noPermissions': 'Noch keine Berechtigungen',
  'api.noPermissionsText': 'Alle auf einmal einfügen: eine pro Zeile.',
  'api.addPermissions': 'Berechtigungen hinzufügen',
  'api.addText': 'Eine pro Zeile: zuerst der Name, dann, nach einem Leerzeichen, was sie erlaubt.',
  'api.lines': 'Berechtigungen',
  'api.linesPlaceholder': 'read:orders Bestellungen ansehen\nwrite:orders Bestellungen anlegen und ändern',
  'api.addCount': '{count} hinzufügen',
  'api.adding': '{done} von {count}',
  'api.added': '{count} Berechtigungen wurden hinzugefügt',
  'api.skipped': 'Schon vorhanden: {names}',
  'api.notAdded': 'Was nicht hinzugefügt wurde, steht noch im Feld.',
  'api.editPermission': 'Berechtigung bearbeiten',
  'api.permissionDescription': 'Beschreibung',
  'api.deletePermission': 'Berechtigung löschen',
  'api.deletePermissionText':
    'Jede Rolle verliert sie, und sie fehlt im nächsten Token. Das kann nicht rückgängig gemacht werden.',
  'api.permissionDeleted': '{name} wurde gelöscht',
}
