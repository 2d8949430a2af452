/** The phrases of `en/acting.ts` in German. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Sie bekommen ein Zugriffstoken dieses Benutzers für eine API. Es gilt höchstens zehn Minuten, und was damit geschieht, gilt als vom Benutzer getan.',
  'acting.permissions': 'Berechtigungen',
  'acting.permissionsHint': 'Das Token enthält davon, was der Benutzer hat.',
  'acting.begin': 'Als Benutzer handeln',
  'acting.made':
    'Das Token gilt bis {time} und wird nicht noch einmal angezeigt. Darin steht, dass Sie für den Benutzer handeln. Beenden Sie es, sobald Sie fertig sind.',
  'acting.token': 'Zugriffstoken',
  'acting.claims': 'Claims',
  'acting.request': 'Anfrage an die API',
  'acting.noScopes': 'Der Benutzer hat keine dieser Berechtigungen: Das Token enthält keine.',
  'acting.banner': 'Sie handeln als {name} wegen „{reason}“ bis {time}.',
  'acting.end': 'Beenden',
  'acting.endLabel': 'Handeln als {name} beenden',
  'acting.ended': 'Das Token wird ab jetzt abgelehnt. Eine API, die nur die Signatur prüft, nimmt es bis {time} an.',
}
