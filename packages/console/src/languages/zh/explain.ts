/** The phrases of `en/explain.ts` in Chinese. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text': '为什么令牌有或没有某个 scope？答案来自签发令牌的代码；不会签发任何令牌。',
  'explain.question': '登录的用户',
  'explain.application': '应用',
  'explain.choose': '请选择…',
  'explain.noneOf': '无',
  'explain.userText': '将要登录的用户。',
  'explain.applicationText': '将要请求令牌的应用。',
  'explain.scope': 'Scopes',
  'explain.scopeHint': '名称之间用空格分隔。留空：该 API 的全部权限。',
  'explain.ask': '解释',
  'explain.none': '选择用户和应用',
  'explain.noneText': '然后您会看到该用户此刻在那里会得到什么令牌，以及通过哪些角色得到。',
  'explain.jwt': '用于该 API 的 JWT',
  'explain.opaque': '不透明令牌',
  'explain.refused': '没有令牌',
  'explain.audience': 'Audience',
  'explain.userinfo': 'userinfo 端点',
  'explain.why': '为什么是它',
  'explain.scopes': '请求的 scopes',
  'explain.granted': '已授予',
  'explain.missing': '未授予',
  'explain.through': '拥有它的角色：',
  'explain.inOrganization': '{name}（组织中）',
}
