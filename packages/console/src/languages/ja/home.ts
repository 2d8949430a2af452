/** The phrases of `en/home.ts` in Japanese. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'こんにちは、{name} さん',
  'home.recent': '現在の動き',
  'home.allEntries': 'ログを開く',

  'first.title': 'はじめに',
  'first.text': '最初のユーザーがサインインするまでの 3 ステップ。',
  'first.done': '完了',
  'first.administrator': 'このサーバーの管理者: あなた',
  'first.application': 'アプリケーションを登録',
  'first.applicationText': 'ユーザーがここでサインインするウェブサイト、アプリまたはサービス。',
  'first.signIn': 'アプリケーションにサインイン',
  'first.signInText': 'コードをアプリケーションに貼り付け、起動して、新しいアカウントでサインインしてください。',
  'first.signedIn': 'ユーザーがサインインしました',
  'first.code': '{name} のコード',
  'first.waiting': '最初のサインインを待っています…',
  'first.finished': '動作しています。ユーザーはアプリケーションにサインインできます。',
  'applications.create': 'アプリケーションを作成',
}
