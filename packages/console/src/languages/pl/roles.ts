/** The phrases of `en/roles.ts` in Polish. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Role',

  'roles.text': 'Grupy uprawnień. Kto ma rolę, ma jej uprawnienia we wszystkich API, które ona wymienia.',
  'roles.create': 'Utwórz rolę',
  'roles.createText': 'Uprawnienia wybierzesz później. Tego, kto może ją mieć, nie można później zmienić.',
  'roles.created': 'Utworzono: {name}',
  'roles.type': 'Dla',
  'roles.forUsers': 'Użytkownicy',
  'roles.forMachines': 'Machine-to-machine',
  'roles.members': 'Członkowie',
  'roles.default': 'Rola domyślna',
  'roles.defaultText': 'Mają ją użytkownicy utworzeni od teraz. U już istniejących nic się nie zmienia.',
  'roles.none': 'Nie ma jeszcze ról',
  'roles.noneText': 'Utwórz po jednej dla każdej grupy osób lub usług, które mogą to samo.',
  'roles.general': 'Ogólne',
  'roles.tab.permissions': 'Uprawnienia',
  'roles.tab.members': 'Członkowie',
  'roles.tab.settings': 'Ustawienia',
  'roles.chosen': '{count} z {total}',
  'roles.chooseAll': 'Wszystkie',
  'roles.chooseNone': 'Żadne',
  'roles.delete': 'Usuń rolę',
  'roles.deleteText': 'Kto ją ma, straci jej uprawnienia z następnym tokenem. Tego nie można cofnąć.',
  'roles.noMembers': 'Nikt jej nie ma',
  'roles.noMembersText': 'Nadaj ją tym, którzy potrzebują jej uprawnień.',
  'roles.addUser': 'Dodaj użytkownika',
  'roles.addApplication': 'Dodaj aplikację',
  'roles.given': '{name} ma teraz tę rolę',
  'roles.taken': '{name} nie ma już tej roli',
}
