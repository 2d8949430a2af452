/** The phrases of `en/explain.ts` in Spanish. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    '¿Por qué tiene un token un scope, o por qué le falta? La respuesta viene del código que emite los tokens; no se emite nada.',
  'explain.question': 'Un inicio de sesión de',
  'explain.application': 'Aplicación',
  'explain.choose': 'Elegir…',
  'explain.noneOf': 'Ninguna',
  'explain.userText': 'El usuario que iniciaría sesión.',
  'explain.applicationText': 'La aplicación que pediría el token.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Nombres separados por espacios. Vacío: todos los permisos de la API.',
  'explain.ask': 'Explicar',
  'explain.none': 'Elige un usuario y una aplicación',
  'explain.noneText': 'Entonces ves qué token obtendría ahora el usuario allí, y por qué roles.',
  'explain.jwt': 'Un JWT para la API',
  'explain.opaque': 'Un token opaco',
  'explain.refused': 'Ningún token',
  'explain.audience': 'Audiencia',
  'explain.userinfo': 'El punto de acceso userinfo',
  'explain.why': 'Por qué este',
  'explain.scopes': 'Scopes pedidos',
  'explain.granted': 'Concedido',
  'explain.missing': 'No concedido',
  'explain.through': 'Roles que lo tienen:',
  'explain.inOrganization': '{name} (en la organización)',
}
