/** The phrases of `en/roles.ts` in Chinese. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': '角色',

  'roles.text': '权限的集合。拥有角色即拥有它的权限，涵盖它涉及的所有 API。',
  'roles.create': '创建角色',
  'roles.createText': '之后再选择权限。谁可以拥有该角色，之后无法更改。',
  'roles.created': '已创建 {name}',
  'roles.type': '适用于',
  'roles.forUsers': '用户',
  'roles.forMachines': '机器对机器',
  'roles.members': '成员',
  'roles.default': '默认角色',
  'roles.defaultText': '从现在起创建的用户都会拥有它。现有用户保持不变。',
  'roles.none': '还没有角色',
  'roles.noneText': '为每一组可以做相同事情的人员或服务创建一个。',
  'roles.general': '常规',
  'roles.tab.permissions': '权限',
  'roles.tab.members': '成员',
  'roles.tab.settings': '设置',
  'roles.chosen': '{count}/{total}',
  'roles.chooseAll': '全部',
  'roles.chooseNone': '无',
  'roles.delete': '删除角色',
  'roles.deleteText': '拥有它的用户或应用从下一个令牌起失去其权限。此操作无法撤销。',
  'roles.noMembers': '无人拥有',
  'roles.noMembersText': '请授予需要其权限的用户或应用。',
  'roles.addUser': '添加用户',
  'roles.addApplication': '添加应用',
  'roles.given': '{name} 现在拥有该角色',
  'roles.taken': '{name} 不再拥有该角色',
}
