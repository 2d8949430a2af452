/** The phrases of `en/roles.ts` in Portuguese. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Papéis',

  'roles.text': 'Grupos de permissões. Quem tem um papel tem as permissões dele, em todas as APIs que ele nomeia.',
  'roles.create': 'Criar papel',
  'roles.createText': 'Depois você escolhe as permissões. Quem pode tê-lo não pode ser alterado.',
  'roles.created': '{name}: criação concluída',
  'roles.type': 'Para',
  'roles.forUsers': 'Usuários',
  'roles.forMachines': 'Máquina a máquina',
  'roles.members': 'Membros',
  'roles.default': 'Papel padrão',
  'roles.defaultText': 'Usuários criados a partir de agora o têm. Os que já existem ficam como estão.',
  'roles.none': 'Nenhum papel ainda',
  'roles.noneText': 'Crie um para cada grupo de pessoas ou serviços que podem fazer o mesmo.',
  'roles.general': 'Geral',
  'roles.tab.permissions': 'Permissões',
  'roles.tab.members': 'Membros',
  'roles.tab.settings': 'Configurações',
  'roles.chosen': '{count} de {total}',
  'roles.chooseAll': 'Todas',
  'roles.chooseNone': 'Nenhuma',
  'roles.delete': 'Excluir papel',
  'roles.deleteText': 'Quem o tem perde as permissões com o próximo token. Não é possível desfazer.',
  'roles.noMembers': 'Ninguém o tem',
  'roles.noMembersText': 'Dê-o a quem precisa das permissões.',
  'roles.addUser': 'Adicionar usuário',
  'roles.addApplication': 'Adicionar aplicativo',
  'roles.given': '{name} agora tem o papel',
  'roles.taken': '{name} não tem mais o papel',
}
