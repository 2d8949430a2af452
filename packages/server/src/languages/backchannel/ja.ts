/** Japanese: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'サインインの確認',
  backchannelLead:
    'アプリケーションがサインインを求めています。続行して、どのアプリケーションかを確認し、許可するかどうかを決めてください。',
  backchannelGone: 'このリクエストは期限切れか、すでに回答されています。',
  backchannelConfirmTitle: '{application} にサインインしますか？',
  backchannelMessage: 'アプリケーションからのメッセージ',
  backchannelWarning:
    '心当たりがあり、操作を始めた画面と同じメッセージが表示されている場合にのみ許可してください。それ以外は拒否してください。',
  backchannelDone: 'サインインを許可しました',
  backchannelDoneLead: 'このウィンドウを閉じて、元の画面で続けてください。',
  backchannelDenied: 'サインインを拒否しました',
  backchannelDeniedLead: 'アプリケーションにアクセス権は与えられていません。このウィンドウを閉じてかまいません。',
}

/** The mail. */
export const backchannelMail = {
  subject: 'サインインの確認',
  lead: 'アプリケーションが {{host}} へのサインインを求めています。このリンクからどのアプリケーションかを確認し、許可するかどうかを決めてください。',
  action: 'リクエストを見る',
  unasked: '心当たりがない場合は、このメールを無視してかまいません。許可しない限り、誰もサインインできません。',
}

/** The text message. */
export const backchannelSms = 'アプリケーションが {{host}} へのサインインを求めています。回答: {{link}}'
