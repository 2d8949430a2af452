/** The phrases of `en/scim.ts` in Spanish. */
import type { scim as english } from '../en/scim.ts'

export const scim: Readonly<Record<keyof typeof english, string>> = {
  'scim.text': 'Con ellos, proveedores de identidad como Entra ID u Okta crean, cambian y desactivan usuarios.',
  'scim.create': 'Crear directorio',
  'scim.createText': 'Aprovisiona usuarios del tenant. Para los miembros de una sola organización, créalo en ella.',
  'scim.createOrganizationText': 'Aprovisiona los miembros de esta organización.',
  'scim.none': 'Aún no hay directorios',
  'scim.noneText': 'Crea uno por cada proveedor de identidad que deba aprovisionar usuarios.',
  'scim.noDirectories': 'Ningún directorio.',
  'scim.organizationText': 'Una empresa aprovisiona sus propios miembros desde su proveedor de identidad.',
  'scim.provisions': 'Aprovisiona',
  'scim.provisionsText': 'Sus usuarios se hacen miembros de esta organización.',
  'scim.tenant': 'Usuarios del tenant',
  'scim.state': 'Estado',
  'scim.enabled': 'Activado',
  'scim.disabled': 'Desactivado',
  'scim.tab.connect': 'Conectar',
  'scim.tab.groups': 'Grupos',
  'scim.tab.activity': 'Actividad',
  'scim.tab.settings': 'Ajustes',
  'scim.address': 'Dirección',
  'scim.addressText': 'Introdúcela en el proveedor de identidad, con un token de abajo.',
  'scim.baseUrl': 'URL base de SCIM (URL del tenant)',
  'scim.domains': 'Dominios de correo',
  'scim.domainsHint':
    'Uno por línea. Las direcciones en ellos cuentan como verificadas cuando las envía el directorio.',
  'scim.isEnabled': 'Activado',
  'scim.isEnabled.hint': 'Desactivado, se rechazan todas las solicitudes del proveedor de identidad.',
  'scim.linksUsers': 'Vincular usuarios existentes',
  'scim.linksUsers.hint':
    'Los usuarios con una dirección verificada en uno de los dominios se adoptan en lugar de rechazarse.',
  'scim.restrictsDomains': 'Solo estos dominios',
  'scim.restrictsDomains.hint': 'Se rechazan los usuarios con una dirección en otro dominio.',
  'scim.deletesUsers': 'Eliminar cuentas',
  'scim.deletesUsers.hint':
    'Una eliminación allí elimina la cuenta aquí. Si no, la cuenta queda en suspenso o solo sale de la organización.',
  'scim.delete': 'Eliminar directorio',
  'scim.deleteText': 'Con sus tokens y grupos. Sus usuarios siguen igual. No se puede deshacer.',
  'scim.noActivity': 'El proveedor de identidad aún no ha llamado.',
  'scim.allActivity': 'Mostrar en el registro',

  'scimTokens.title': 'Tokens',
  'scimTokens.text':
    'Para sustituir uno, crea otro, introdúcelo en el proveedor de identidad y elimina después el primero.',
  'scimTokens.none': 'Ningún token: el proveedor de identidad no puede llamar.',
  'scimTokens.add': 'Crear token',
  'scimTokens.addText': 'Funciona al instante, junto a los que ya hay.',
  'scimTokens.created': 'Copia el token ahora',
  'scimTokens.once': 'Solo se muestra esta vez.',
  'scimTokens.kept': 'Lo he copiado',
  'scimTokens.delete': 'Eliminar token',
  'scimTokens.deleteText': 'Si aún lo usa, el proveedor de identidad se rechaza desde su próxima solicitud.',

  'scimGroups.members': 'Miembros: {count}',
  'scimGroups.rolesText': 'Los miembros del grupo obtienen estos roles y pierden los que no les da ningún otro grupo.',
  'scimGroups.none': 'Aún no hay grupos',
  'scimGroups.noneText':
    'Los grupos aparecen cuando los envía el proveedor de identidad. Aquí eliges los roles de cada uno.',
}
