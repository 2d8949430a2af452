/** The texts of messages in Japanese. */

import { backchannelMail, backchannelSms } from '../backchannel/ja.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/ja.ts'

const CHANGE_PASSWORD =
  '心当たりがない場合は、ほかの人がアカウントにサインインしている可能性があります。新しいパスワードを設定し、このコードを共有しないでください。'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'サインイン用コード',
      lead: 'このコードで {{host}} にサインインしてください。',
      unasked: 'サインインに心当たりがない場合は、このメールを無視してください。コードがなければサインインできません。',
    },
    Register: {
      subject: '登録用コード',
      lead: 'このコードで {{host}} のアカウントを作成してください。',
      unasked:
        'アカウントの作成に心当たりがない場合は、このメールを無視してください。コードがなければアカウントは作成されません。',
    },
    ForgotPassword: {
      subject: 'パスワード再設定用コード',
      lead: 'このコードで {{host}} の新しいパスワードを設定してください。',
      unasked: '新しいパスワードを要求していない場合は、このメールを無視してください。パスワードは変更されません。',
    },
    BindNewIdentifier: {
      subject: 'アドレス追加用コード',
      lead: 'このコードで、このアドレスを {{host}} のアカウントに追加してください。',
      unasked: '心当たりがない場合は、このメールを無視してください。コードがなければアドレスは追加されません。',
    },
    MfaVerification: {
      subject: '2 段階認証用コード',
      lead: 'このコードで、{{host}} へのサインインがご本人によるものであることを確認してください。',
      unasked:
        'サインインに心当たりがない場合は、パスワードがほかの人に知られている可能性があります。新しいパスワードを設定し、このコードを共有しないでください。',
    },
    BindMfa: {
      subject: '2 段階認証設定用コード',
      lead: 'このコードで、{{host}} のアカウントに 2 段階認証を設定してください。',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: '変更確認用コード',
      lead: 'このコードで、{{host}} のアカウントの変更を確認してください。',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'サインイン用リンク',
      lead: 'このリンクで {{host}} にサインインしてください。',
      action: 'サインイン',
      unasked:
        'サインインに心当たりがない場合は、このメールを無視してください。このメールは転送しないでください。リンクを持っている人は誰でもサインインできます。',
    },
    OrganizationInvitation: {
      subject: '招待のお知らせ',
      lead: '{{host}} の {{organizationName}} に招待されています。',
      action: '招待を表示',
      unasked: 'この招待に心当たりがない場合は、このメールを無視してください。承諾しない限り、メンバーにはなりません。',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: '確認コード',
      lead: 'このコードを {{host}} で使用してください。',
      unasked: 'このメールに心当たりがない場合は、無視してください。',
    },
  },
  changes,
  codeLife: '有効期限は {{duration}}です。',
  codeNote: '共有しないでください。当方からコードをお尋ねすることはありません。',
  linkLife: 'リンクの有効期限は {{duration}}です。',
  linkFallback: 'ボタンが機能しない場合は、次のアドレスをブラウザーにコピーしてください：',
  open: '続ける',
  sms: {
    SignIn: '{{code}} は {{host}} のサインイン用コードです。共有しないでください。',
    Register: '{{code}} は {{host}} の登録用コードです。共有しないでください。',
    ForgotPassword: '{{code}} は {{host}} のパスワード再設定用コードです。共有しないでください。',
    BindNewIdentifier: '{{code}} は {{host}} の電話番号追加用コードです。共有しないでください。',
    MfaVerification: '{{code}} は {{host}} のサインイン確認用コードです。共有しないでください。',
    BindMfa: '{{code}} は {{host}} の 2 段階認証設定用コードです。共有しないでください。',
    UserPermissionValidation: '{{code}} は {{host}} の変更確認用コードです。共有しないでください。',
    BackchannelAuthentication: backchannelSms,
    MagicLink: '{{host}} のサインイン用リンク：{{link}}',
    AccountDeletion: '{{host}} のアカウントは {{date}} に削除されます。残すには：{{link}}',
    OrganizationInvitation: '{{host}} の {{organizationName}} に招待されています：{{link}}',
    Generic: '{{code}} は {{host}} の確認コードです。共有しないでください。',
  },
}
