/** The phrases of `en/connectors.ts` in Japanese. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'ユーザーにメッセージを届けるサービスと、ユーザーがサインインに使うプロバイダー。',
  'connectors.email': 'メール',
  'connectors.emailText': 'コード、リンク、お知らせをメールで届けます。',
  'connectors.noEmail': '未設定: ユーザーはコードやリンクをメールで受け取れません。',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'コードを電話に届けます。',
  'connectors.noSms': '未設定: ユーザーは電話番号とコードでサインインできません。',
  'connectors.social': 'ソーシャルサインイン',
  'connectors.socialText': 'ユーザーは、ほかのサービスのアカウントでサインインします。',
  'connectors.noSocial': 'まだありません。',
  'connectors.sso': 'エンタープライズ SSO',
  'connectors.ssoText': '会社のドメインのアドレスを持つユーザーは、その会社の ID プロバイダーでサインインします。',
  'connectors.noSso': 'まだありません。',
  'connectors.ssoOff':
    'エンタープライズ SSO はオフです。ユーザーはこれらの ID プロバイダーに送られません。いずれかを開くと、オンにできます。',
  'connectors.setUp': '設定する',
  'connectors.replace': '置き換え',
  'connectors.addSocial': 'プロバイダーを追加',
  'connectors.addSso': '会社を追加',
  'connectors.notOffered': '非表示',
  'connectors.noDomains': '{provider} · ドメイン未設定',
  'connectors.incomplete': '未完了',
  'connectors.complete': '完了',
  'connectors.incompleteText': '構成が完了していません。完了するまで、ユーザーはこの ID プロバイダーに送られません。',
  'connectors.choose': 'サービスを選択してください。',
  'connectors.create': 'コネクターを作成',
  'connectors.created': '{name} を作成しました',
  'connectors.replaces': '作成するとすぐに、{name} と置き換わります。',
  'connectors.settings': '構成',
  'connectors.optional': 'その他の設定',
  'connectors.default': '既定',
  'connectors.yes': 'はい',
  'connectors.no': 'いいえ',
  'connectors.noJson': 'JSON の形式が正しくありません。',
  'connectors.target': 'プロバイダーの識別子',
  'connectors.targetHint': 'ユーザーのアイデンティティはこの名前で保存されます。後から変更できません。',
  'connectors.nameHint': 'サインインページのボタンに表示される名前。',
  'connectors.syncProfile': 'サインインのたびにプロフィールを更新',
  'connectors.syncProfile.hint': '名前と写真をプロバイダーに合わせます。オフ: 登録時にだけ取り込みます。',
  'connectors.enableTokenStorage': 'プロバイダーのトークンを保存',
  'connectors.enableTokenStorage.hint':
    'アプリケーションがユーザーのためにプロバイダーの API を呼び出せるよう、暗号化して保存します。オフ: 保存済みのトークンは削除されます。',
  'connectors.setup': 'セットアップ',
  'connectors.callback': 'リダイレクト URI（コールバックアドレス）',
  'connectors.callbackHint': 'このとおりにプロバイダーに登録してください。',
  'connectors.callbackLater':
    'プロバイダーに登録するリダイレクト URI は、コネクターを作成するとここに表示され、コピーできます。',
  'connectors.offered': 'サインインページに表示',
  'connectors.offeredText': 'ユーザーにボタンが表示されます。',
  'connectors.check': 'プロバイダーを確認',
  'connectors.checked':
    'プロバイダーがクライアントとリダイレクト URI を認識しているかどうかは、最初のサインインでわかります。',
  'connectors.check.ok': 'ユーザーを送ることができます',
  'connectors.check.warning': 'ユーザーを送ることができますが、まもなくできなくなります',
  'connectors.check.problem': 'ユーザーはそこでサインインできません',
  'connectors.ssoSetupText': '会社の ID プロバイダーに登録する内容。',
  'connectors.ssoLater':
    '今は名前とドメインだけで十分です。作成後に、ID プロバイダーに必要なアドレスが表示されるので、ID プロバイダーから得た情報で構成を完了してください。',
  'connectors.entityId': 'Entity ID およびメタデータのアドレス',
  'connectors.acs': 'Assertion Consumer Service（応答 URL）',
  'connectors.domains': 'メールドメイン',
  'connectors.domainsHint':
    '1 行に 1 つ。これらのアドレスを持つユーザーは、パスワードやコードではなく、会社でサインインします。',
  'connectors.ssoSwitch': 'このテナントのエンタープライズ SSO',
  'connectors.ssoSwitchText': 'オフ: どの会社の ID プロバイダーにもユーザーを送りません。',
  'connectors.delete': 'コネクターを削除',
  'connectors.deleteText': 'この種類のメッセージは送信されなくなります。この操作は元に戻せません。',
  'connectors.deleteSocialText': 'ユーザーはこのプロバイダーでサインインできなくなります。この操作は元に戻せません。',
  'connectors.deleteSsoText':
    'ユーザーは残りますが、会社のアイデンティティを失い、別の方法でサインインする必要があります。この操作は元に戻せません。',
  'connectors.deleted': '{name} を削除しました',
  'connectors.test': 'テストメッセージ',
  'connectors.testText': '上に入力されている構成で送信します。保存前でも送信できます。',
  'connectors.testEmail': '送信先メールアドレス',
  'connectors.testPhone': '送信先電話番号',
  'connectors.send': 'テストメッセージを送信',
  'connectors.tested': 'メッセージは受け付けられました。まもなく届きます。',
  'connectors.advice.address':
    'ホスト名を確認してください。公開されていないアドレスは、サーバーの OUTBOUND_ALLOW に記載する必要があります。',
  'connectors.advice.plain':
    'パスワードが暗号化されずにネットワークを通ります。TLS 用のポート（「secure」の場合は 465、または 587）か、別のサーバーを使用してください。',
  'connectors.advice.connect':
    'ホストとポート、およびこのサーバーとメールサーバーまたはプロバイダーの間のファイアウォールが接続を通すかどうかを確認してください。',
  'connectors.advice.tls':
    '暗号化接続に失敗しました。ポートが最初から TLS（「secure」）か STARTTLS か、また証明書がホストに対して有効かを確認してください。',
  'connectors.advice.login':
    '認証情報が拒否されました。ユーザー名とパスワード、またはキーとその権限を確認してください。',
  'connectors.advice.sender':
    '送信者が拒否されました。このアカウントでプロバイダーが確認済みの送信者を使用してください。',
  'connectors.advice.recipient':
    '受信者が拒否されました。試用アカウントの場合、プロバイダーはそこで確認済みの受信者にのみ送信します。',
  'connectors.advice.message': 'メッセージが拒否されました。テンプレートを確認してください。',
  'connectors.advice.limit': 'アカウントの上限に達しました。時間をおくか、プロバイダーで上限を引き上げてください。',
  'connectors.advice.fault':
    'プロバイダー側で障害が発生しています。後でもう一度試すか、プロバイダーのステータスページを確認してください。',
  'connectors.advice.protocol':
    '応答したものは、想定のプロトコルに対応していません。ポートと、アドレスがそのサービスのものであることを確認してください。',
}
