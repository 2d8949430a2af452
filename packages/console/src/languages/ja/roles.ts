/** The phrases of `en/roles.ts` in Japanese. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'ロール',

  'roles.text': '権限のグループ。ロールを持つと、ロールが指定するすべての API でその権限を持ちます。',
  'roles.create': 'ロールを作成',
  'roles.createText': '権限は後で選択します。ロールの対象は後から変更できません。',
  'roles.created': '{name} を作成しました',
  'roles.type': '対象',
  'roles.forUsers': 'ユーザー',
  'roles.forMachines': 'マシン間通信（M2M）',
  'roles.members': 'メンバー',
  'roles.default': '既定のロール',
  'roles.defaultText': '今後作成されるユーザーに付与されます。既存のユーザーはそのままです。',
  'roles.none': 'ロールはまだありません',
  'roles.noneText': '同じことができる人やサービスのグループごとに 1 つ作成してください。',
  'roles.general': '全般',
  'roles.tab.permissions': '権限',
  'roles.tab.members': 'メンバー',
  'roles.tab.settings': '設定',
  'roles.chosen': '{count} / {total}',
  'roles.chooseAll': 'すべて',
  'roles.chooseNone': 'なし',
  'roles.delete': 'ロールを削除',
  'roles.deleteText': 'ロールを持つ人は、次のトークンからその権限を失います。この操作は元に戻せません。',
  'roles.noMembers': '誰も持っていません',
  'roles.noMembersText': 'この権限が必要な人に付与してください。',
  'roles.addUser': 'ユーザーを追加',
  'roles.addApplication': 'アプリケーションを追加',
  'roles.given': '{name} にロールを付与しました',
  'roles.taken': '{name} からロールを外しました',
}
