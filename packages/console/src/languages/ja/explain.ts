/** The phrases of `en/explain.ts` in Japanese. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'トークンにスコープが含まれる、または含まれないのはなぜか。トークンを発行するコード自体が回答します。トークンは発行されません。',
  'explain.question': 'サインインするユーザー',
  'explain.application': 'アプリケーション',
  'explain.choose': '選択…',
  'explain.noneOf': 'なし',
  'explain.userText': 'サインインするユーザー。',
  'explain.applicationText': 'トークンを要求するアプリケーション。',
  'explain.scope': 'スコープ',
  'explain.scopeHint': 'スペース区切りの名前。空欄: API のすべての権限。',
  'explain.ask': '説明を表示',
  'explain.none': 'ユーザーとアプリケーションを選択してください',
  'explain.noneText': 'そのユーザーが今そこで取得するトークンと、それを与えるロールが表示されます。',
  'explain.jwt': 'API 用の JWT',
  'explain.opaque': 'opaque トークン',
  'explain.refused': 'トークンなし',
  'explain.audience': 'Audience',
  'explain.userinfo': 'userinfo エンドポイント',
  'explain.why': 'この種類になる理由',
  'explain.scopes': '要求されたスコープ',
  'explain.granted': '付与',
  'explain.missing': '付与なし',
  'explain.through': 'これを含むロール:',
  'explain.inOrganization': '{name}（組織内）',
}
