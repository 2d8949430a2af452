/** The phrases of `en/acting.ts` in Dutch. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Je krijgt een toegangstoken als deze gebruiker voor één API. Het is hooguit tien minuten geldig, en wat ermee gebeurt, geldt als gedaan door de gebruiker.',
  'acting.permissions': 'Rechten',
  'acting.permissionsHint': 'Het token krijgt de rechten die de gebruiker heeft.',
  'acting.begin': 'Handelen als gebruiker',
  'acting.made':
    'Het token werkt tot {time} en wordt niet meer getoond. Erin staat dat je namens de gebruiker handelt. Beëindig het zodra je klaar bent.',
  'acting.token': 'Toegangstoken',
  'acting.claims': 'Claims',
  'acting.request': 'Verzoek aan de API',
  'acting.noScopes': 'De gebruiker heeft geen van deze rechten: het token heeft er geen.',
  'acting.banner': 'Je handelt als {name} voor ‘{reason}’ tot {time}.',
  'acting.end': 'Beëindigen',
  'acting.endLabel': 'Handelen als {name} beëindigen',
  'acting.ended':
    'Het token wordt vanaf nu geweigerd. Een API die alleen de handtekening controleert, accepteert het tot {time}.',
}
