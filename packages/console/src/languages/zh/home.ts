/** The phrases of `en/home.ts` in Chinese. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': '您好，{name}',
  'home.recent': '正在发生的事',
  'home.allEntries': '打开日志',

  'first.title': '起步',
  'first.text': '三步迎来第一个登录的用户。',
  'first.done': '完成',
  'first.administrator': '由一位管理员照管此服务器：您',
  'first.application': '登记您的应用',
  'first.applicationText': '让用户在此登录的网站、应用或服务。',
  'first.signIn': '登录您的应用',
  'first.signInText': '将代码粘贴到您的应用中，启动它，并用新账号登录。',
  'first.signedIn': '已有用户登录',
  'first.code': '{name} 的代码',
  'first.waiting': '正在等待您的首次登录…',
  'first.finished': '成功了。用户可以登录您的应用。',
  'applications.create': '创建应用',
}
