/** The phrases of `en/application-settings.ts` in Japanese. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'ブランディング',
  'tokens.maxAllowedGrants': 'ユーザーあたりのデバイス数',
  'tokens.maxAllowedGrants.hint':
    'これを超えるデバイスでサインインすると、最も古いものがサインアウトされます。空欄: 無制限。',
  'tokens.algorithm': 'ID トークンのアルゴリズム',
  'tokens.algorithmOfTenant': '現在のキーと同じ',

  'refused.title': 'このアドレスを追加しますか？',
  'refused.text':
    'サインイン後、ユーザーはコードとともにここに送られます。この記録はリンクを開くだけで誰でも発生させられるため、自分のものとわかっているアドレスだけを追加してください。',
  'refused.address': 'アドレス',
  'refused.count': '拒否されたリクエスト',
  'refused.last': '直近',
  'refused.from': '送信元 IP アドレス',

  'signOut.title': 'バックチャネルログアウト',
  'signOut.text': 'ほかの場所でセッションが終了したことをアプリケーションに通知します。',
  'signOut.uri': 'バックチャネルログアウト URI',
  'signOut.uriHint': '署名済みのログアウトトークンを POST で受け取ります。空欄: 通知しません。',

  'customData.title': 'カスタムデータ',
  'customData.text': '自分のプログラム用に保存されます。サーバーが読み取ることはありません。',

  'authentication.title': '認証',
  'authentication.text': 'アプリケーションがトークンエンドポイントで自身を証明する方法。',
  'authentication.method': '方法',
  'authentication.client_secret_basic': 'シークレット（ヘッダー、Basic）',
  'authentication.client_secret_post': 'シークレット（ボディ、POST）',
  'authentication.private_key_jwt': '秘密鍵（JWT）',
  'authentication.keys': '公開鍵',
  'authentication.keysHint':
    'RSA、P-256、P-384 または Ed25519 の鍵を含む JSON Web Key Set。秘密鍵はアプリケーション側に残ります。',

  'exchange.title': 'トークン交換',
  'exchange.text':
    'サービスが、別のトークンと引き換えに得たトークンで、ユーザーとして動作したり、ユーザーの代わりにほかの API を呼び出したりできます。',
  'exchange.only': '指定したもののみ',
  'exchange.subjects': '受け付けるトークンの対象',
  'exchange.anyApi': '任意の API',
  'exchange.targets': '取得できるトークンの対象',
  'exchange.anyTarget': 'Management API 以外の任意の API',

  'introspection.title': 'イントロスペクション',
  'introspection.text': 'API が、受け取ったトークンが有効かどうかを問い合わせます。',
  'introspection.apis': 'イントロスペクションできるトークンの対象',
  'introspection.every': 'すべての API: このテナントの全トークン',

  'look.title': 'サインインページでの表示',
  'look.text': '空欄の項目は、全アプリケーション共通の表示になります。',
  'look.displayName': '表示名',
  'look.displayNameHint': '名前の代わりにユーザーに表示されます。',
  'look.thirdParty': 'サードパーティの利用規約とプライバシーポリシーは、ユーザーに同意を求める画面に表示されます。',
  'look.customCssText': '全ページ共通のスタイルの後に適用される CSS。ほかのアドレスからは何も読み込みません。',
  'look.dark.tenant': '全アプリケーション共通',
  'look.dark.true': 'オン',
  'look.dark.false': 'オフ',

  'application.tab.access': 'アクセス',
  'application.tab.consent': '同意',
  'application.tab.roles': 'ロール',

  'access.title': 'サインインできるユーザー',
  'access.openText': 'このテナントのすべてのユーザーがアプリケーションを利用できます。',
  'access.limitedText': '下のいずれかのリストで許可されたユーザーだけがアプリケーションを利用できます。',
  'access.limit': '許可されたユーザーのみ',
  'access.limitText': 'サインインのたびに確認されます。',
  'access.limitFirst': '先にユーザー、ロールまたは組織を許可してください。',
  'access.noUsers': 'ユーザーはありません。',
  'access.noRoles': 'ロールはありません。',
  'access.noOrganizations': '組織はありません。',
  'access.userText': 'このユーザーはアプリケーションを利用できます。',
  'access.roleText': 'このロールを持つすべてのユーザーがアプリケーションを利用できます。',
  'access.organizationText': 'アプリケーションを利用できるメンバーは、次に選択します。',
  'access.addOrganization': '組織を追加',
  'access.rolesText':
    'ロールを選ぶと、そのいずれかを持つメンバーだけが許可されます。選ばない場合は、すべてのメンバーが許可されます。',
  'access.admitAll': 'すべてのメンバーを許可',
  'access.admitRoles': 'これらのロールを許可',
  'access.allMembers': 'すべてのメンバー',
  'access.withRoles': '次のロールを持つメンバー: {roles}',
  'access.remove': '外す',
  'access.removeText': 'これによる許可はなくなります。同じユーザーがほかのルールで許可されている場合があります。',

  'machine.rolesText': 'アプリケーションにできること。次のトークンから反映されます。',
  'machine.noRoles': 'ロールはありません。',
  'machine.addRoleText': 'アプリケーションは、次のトークンからこのロールの権限を得ます。',
  'machine.organizationsText': 'アプリケーションがメンバーになっている組織と、そこでのロール。',
  'machine.management': 'Management API',
  'machine.managementText': 'ロールでは個別の権限を付与します。ここではすべての権限を付与します。',
  'machine.admin': 'Management API へのフルアクセス',
  'machine.adminText': 'このテナントのすべてを読み取り、変更できます。',
  'machine.adminWarning':
    'シークレットを持つ人は誰でも、ユーザーやシークレットを含む、このテナントのすべてを読み取り、変更できるようになります。',
  'machine.give': 'フルアクセスを付与',

  'consent.title': 'ユーザーの情報',
  'consent.text':
    'アプリケーションがユーザーに求めることのできる情報。リクエストに含まれるそれ以外のものは無視され、残りはユーザーに表示されて同意が求められます。',
  'consent.profile': '名前、写真などのプロフィール',
  'consent.email': 'メールアドレス',
  'consent.phone': '電話番号',
  'consent.address': '住所',
  'consent.customData': 'カスタムデータ',
  'consent.identities': '連携しているアカウント',
  'consent.roles': 'ロール',
  'consent.organizations': '組織',
  'consent.organizationRoles': '組織でのロール',
  'consent.sessions': 'セッション',
  'consent.trustedDevices': '信頼しているデバイス',
  'consent.ownText': 'ユーザーがアプリケーションに代理を許可した組織での権限。',
  'consent.inOrganizations': '{name}（組織内）',

  'create.thirdParty': 'サードパーティアプリケーション',
  'create.thirdPartyText': '他社が運営: できることについてユーザーに同意を求めます。後から変更できません。',
  'start.verification': 'ユーザーがコードを入力するページ',
}
