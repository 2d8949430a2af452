/** The phrases of `en/acting.ts` in Spanish. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Obtienes un token de acceso como este usuario para una API. Dura diez minutos como máximo, y lo que se haga con él cuenta como hecho por el usuario.',
  'acting.permissions': 'Permisos',
  'acting.permissionsHint': 'El token tiene los que tiene el usuario.',
  'acting.begin': 'Actuar como usuario',
  'acting.made':
    'El token funciona hasta las {time} y no se vuelve a mostrar. Dice que actúas por el usuario. Termínalo en cuanto acabes.',
  'acting.token': 'Token de acceso',
  'acting.claims': 'Claims',
  'acting.request': 'Solicitud a la API',
  'acting.noScopes': 'El usuario no tiene ninguno de estos permisos: el token tampoco.',
  'acting.banner': 'Actúas como {name} por «{reason}» hasta las {time}.',
  'acting.end': 'Terminar',
  'acting.endLabel': 'Dejar de actuar como {name}',
  'acting.ended': 'El token se rechaza desde ahora. Una API que solo comprueba su firma lo acepta hasta las {time}.',
}
