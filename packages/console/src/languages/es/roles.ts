/** The phrases of `en/roles.ts` in Spanish. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Roles',

  'roles.text': 'Grupos de permisos. Quien tiene un rol tiene sus permisos, en todas las API que nombra.',
  'roles.create': 'Crear rol',
  'roles.createText': 'Después eliges sus permisos. Quién puede tenerlo no se puede cambiar.',
  'roles.created': 'Se ha creado {name}',
  'roles.type': 'Para',
  'roles.forUsers': 'Usuarios',
  'roles.forMachines': 'Máquina a máquina',
  'roles.members': 'Miembros',
  'roles.default': 'Rol predeterminado',
  'roles.defaultText': 'Lo tienen los usuarios que se creen desde ahora. Los que ya existen siguen igual.',
  'roles.none': 'Aún no hay roles',
  'roles.noneText': 'Crea uno para cada grupo de personas o servicios que puedan hacer lo mismo.',
  'roles.general': 'General',
  'roles.tab.permissions': 'Permisos',
  'roles.tab.members': 'Miembros',
  'roles.tab.settings': 'Ajustes',
  'roles.chosen': '{count} de {total}',
  'roles.chooseAll': 'Todos',
  'roles.chooseNone': 'Ninguno',
  'roles.delete': 'Eliminar rol',
  'roles.deleteText': 'Quien lo tiene pierde sus permisos con el próximo token. No se puede deshacer.',
  'roles.noMembers': 'No lo tiene nadie',
  'roles.noMembersText': 'Dáselo a quienes necesitan sus permisos.',
  'roles.addUser': 'Añadir usuario',
  'roles.addApplication': 'Añadir aplicación',
  'roles.given': '{name} ya tiene el rol',
  'roles.taken': '{name} ya no tiene el rol',
}
