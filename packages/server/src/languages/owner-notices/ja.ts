/** Japanese: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: '心当たりがない',
  unasked:
    'ご自身による操作であれば、何もする必要はありません。心当たりがない場合は、ボタンを押してください。アカウントにサインインしている全員がサインアウトされます。',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: '心当たりがない',
  notMeTitle: '心当たりがありませんか?',
  notMeLead: 'ほかの人がこの変更をした場合は、今すぐアカウントから全員をサインアウトさせてください。',
  notMeHint:
    'すべてのセッションと、すべてのアプリケーションおよび個人用アクセストークンのアクセスが終了します。元に戻すことはできません。',
  notMeGone: 'このリンクは無効です。リンクは 7 日以内に 1 回だけ使用できます。',
  notMeDone: '全員がサインアウトされました',
  notMeDoneLead: 'アカウントにサインインしている人はいなくなり、どのアプリケーションもアクセスできません。',
  notMeReset:
    '現在のパスワードは使用できなくなりました。次回のサインインで、パスワードを忘れた場合の手順から新しいパスワードを設定してください。',
  notMeCode:
    'パスワードは使えなくなりました。メールアドレスにコードを送信しました。新しいパスワードと一緒にここに入力してください。',
  notMeFactorCode:
    'メールアドレスにコードを送信しました。2 段階認証に追加された方法を削除するには、コードを入力してください。',
  notMeFactorGone: '2 段階認証から方法を削除しました。',
  notMeContact: 'メールアドレスまたはパスワードが変更されている場合は、このサービスのサポートにお問い合わせください。',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'アカウントが削除されます',
    lead: 'ご依頼により、{{host}} のアカウントは {{date}} に削除されます。残すには、このリンクを使うか、それまでにサインインしてください。',
    action: 'アカウントを残す',
    unasked:
      '心当たりがない場合は、ほかの人にパスワードを知られている可能性があります。アカウントを残し、新しいパスワードを設定してください。',
  },
  AccountChanged: {
    subject: 'アカウントが変更されました',
    lead: '{{host}} のアカウントが変更されました。',
    ...notMe,
  },
  NewSignIn: {
    subject: 'アカウントへの新しいサインイン',
    lead: '{{host}} のアカウントに新しいサインインがありました。',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: '{{host}} のアカウントのパスワードが変更されました。',
  emailChanged: '{{host}} のアカウントのメールアドレスが変更されました。',
  phoneChanged: '{{host}} のアカウントの電話番号が変更されました。',
  factorAdded: '{{host}} のアカウントの 2 段階認証に方法が追加されました。',
  factorRemoved: '{{host}} のアカウントの 2 段階認証から方法が削除されました。',
  backupCodesCreated: '{{host}} のアカウントの新しいバックアップコードが作成されました。',
  identityLinked: '{{host}} のアカウントが別のサービスのアカウントと連携されました。',
  identityUnlinked: '{{host}} のアカウントと別のサービスのアカウントとの連携が解除されました。',
  accessTokenCreated: '{{host}} のアカウントに個人用アクセストークンが作成されました。',
  newSignIn: '新しいブラウザーまたは新しい場所から {{host}} のアカウントへのサインインがありました。',
}
