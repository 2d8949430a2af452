/** The phrases of `en/application-settings.ts` in Spanish. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Marca',
  'tokens.maxAllowedGrants': 'Dispositivos por usuario',
  'tokens.maxAllowedGrants.hint': 'Al iniciar sesión en uno más se cierra la del más antiguo. Vacío: sin límite.',
  'tokens.algorithm': 'Algoritmo de los tokens de ID',
  'tokens.algorithmOfTenant': 'El de la clave actual',

  'refused.title': '¿Añadir esta dirección?',
  'refused.text':
    'Los usuarios llegan ahí con sus códigos tras iniciar sesión. Cualquiera puede provocar esta entrada abriendo un enlace: añade solo una dirección que sepas que es tuya.',
  'refused.address': 'Dirección',
  'refused.count': 'Solicitudes rechazadas',
  'refused.last': 'La última',
  'refused.from': 'Desde la dirección IP',

  'signOut.title': 'Cierre de sesión back-channel',
  'signOut.text': 'Se avisa a la aplicación cuando una sesión termina en otro lugar.',
  'signOut.uri': 'URI de cierre de sesión back-channel',
  'signOut.uriHint': 'Recibe por POST un token de cierre de sesión firmado. Vacío: no se le avisa.',

  'customData.title': 'Datos propios',
  'customData.text': 'Se guardan para tus programas. El servidor nunca los lee.',

  'authentication.title': 'Autenticación',
  'authentication.text': 'Cómo demuestra la aplicación quién es en el punto de acceso de tokens.',
  'authentication.method': 'Método',
  'authentication.client_secret_basic': 'Secreto, en una cabecera (Basic)',
  'authentication.client_secret_post': 'Secreto, en el cuerpo (POST)',
  'authentication.private_key_jwt': 'Clave privada (JWT)',
  'authentication.keys': 'Claves públicas',
  'authentication.keysHint':
    'Un JSON Web Key Set con claves RSA, P-256, P-384 o Ed25519. Las claves privadas se quedan en la aplicación.',

  'exchange.title': 'Intercambio de tokens',
  'exchange.text':
    'Los servicios actúan por usuarios, o llaman a otras API en su nombre, con un token obtenido a cambio de otro.',
  'exchange.only': 'Solo estas',
  'exchange.subjects': 'Acepta tokens para',
  'exchange.anyApi': 'Cualquier API',
  'exchange.targets': 'Obtiene tokens para',
  'exchange.anyTarget': 'Cualquier API salvo la Management API',

  'introspection.title': 'Introspección',
  'introspection.text': 'Una API pregunta si es válido un token que ha recibido.',
  'introspection.apis': 'Puede introspeccionar tokens para',
  'introspection.every': 'Todas las API: todos los tokens de este tenant',

  'look.title': 'En las páginas de inicio de sesión',
  'look.text': 'Lo que está vacío se ve como en todas las aplicaciones.',
  'look.displayName': 'Nombre visible',
  'look.displayNameHint': 'Lo que ven los usuarios en lugar del nombre.',
  'look.thirdParty':
    'Las condiciones y la política de privacidad de un tercero se muestran donde se pide el consentimiento.',
  'look.customCssText': 'CSS detrás del de todas las páginas. No carga nada de otras direcciones.',
  'look.dark.tenant': 'Como en todas las aplicaciones',
  'look.dark.true': 'Activado',
  'look.dark.false': 'Desactivado',

  'application.tab.access': 'Acceso',
  'application.tab.consent': 'Consentimiento',
  'application.tab.roles': 'Roles',

  'access.title': 'Quién puede iniciar sesión',
  'access.openText': 'Todos los usuarios de este tenant pueden usar la aplicación.',
  'access.limitedText': 'Solo pueden usar la aplicación los usuarios admitidos por una de las listas siguientes.',
  'access.limit': 'Solo usuarios admitidos',
  'access.limitText': 'Se comprueba en cada inicio de sesión.',
  'access.limitFirst': 'Admite primero usuarios, un rol o una organización.',
  'access.noUsers': 'Ningún usuario.',
  'access.noRoles': 'Ningún rol.',
  'access.noOrganizations': 'Ninguna organización.',
  'access.userText': 'El usuario puede usar la aplicación.',
  'access.roleText': 'Todos los usuarios con el rol pueden usar la aplicación.',
  'access.organizationText': 'Después eliges cuáles de sus miembros pueden usar la aplicación.',
  'access.addOrganization': 'Añadir organización',
  'access.rolesText': 'Marca roles para admitir solo a los miembros que tengan alguno; sin ninguno, se admite a todos.',
  'access.admitAll': 'Admitir a todos los miembros',
  'access.admitRoles': 'Admitir estos roles',
  'access.allMembers': 'Todos los miembros',
  'access.withRoles': 'Miembros con: {roles}',
  'access.remove': 'Quitar',
  'access.removeText': 'Ya no admite usuarios. Otra regla puede seguir admitiendo a los mismos.',

  'machine.rolesText': 'Lo que puede hacer la aplicación, desde su próximo token.',
  'machine.noRoles': 'Ningún rol.',
  'machine.addRoleText': 'La aplicación obtiene los permisos del rol con su próximo token.',
  'machine.organizationsText': 'Dónde es miembro la aplicación, con sus roles allí.',
  'machine.management': 'Management API',
  'machine.managementText': 'Los roles dan permisos sueltos de ella. Esto los da todos.',
  'machine.admin': 'Acceso completo a la Management API',
  'machine.adminText': 'Puede leer y cambiar todo en este tenant.',
  'machine.adminWarning':
    'Quien tenga su secreto podrá leer y cambiar todo en este tenant, incluidos usuarios y secretos.',
  'machine.give': 'Dar acceso completo',

  'consent.title': 'Sobre el usuario',
  'consent.text':
    'Lo que la aplicación puede pedir a los usuarios. Lo demás en sus solicitudes se ignora; los usuarios ven lo pedido y lo aceptan.',
  'consent.profile': 'Nombre, foto y otros datos del perfil',
  'consent.email': 'Correo electrónico',
  'consent.phone': 'Número de teléfono',
  'consent.address': 'Dirección postal',
  'consent.customData': 'Datos propios',
  'consent.identities': 'Cuentas vinculadas',
  'consent.roles': 'Roles',
  'consent.organizations': 'Organizaciones',
  'consent.organizationRoles': 'Roles en organizaciones',
  'consent.sessions': 'Sesiones',
  'consent.trustedDevices': 'Dispositivos de confianza',
  'consent.ownText': 'Permisos de las organizaciones por las que el usuario deja actuar a la aplicación.',
  'consent.inOrganizations': '{name}, en organizaciones',

  'create.thirdParty': 'Aplicación de terceros',
  'create.thirdPartyText':
    'La gestiona otra empresa: se pide a los usuarios su consentimiento para lo que puede hacer. No se puede cambiar después.',
  'start.verification': 'Página donde los usuarios introducen el código',
}
