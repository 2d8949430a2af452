/** The findings of checks in Japanese. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} に到達できます。公開鍵: {count}',
  'found.provider.oauth2': '通常の OAuth 2.0 のため、実際のサインインでのみ確認できます',
  'found.provider.certificate': '{entityId} に到達でき、{date} まで有効な証明書があります',
  'found.provider.certificate_given': '{entityId} には {date} まで有効な証明書があります',
  'found.provider.certificate_ends':
    '{entityId} には {date} より後に有効な証明書がありません。それ以降、ユーザーはそこでサインインできなくなります',
  'found.provider.failed': 'ユーザーはそこでサインインできません: {reason}',
  'found.provider.incomplete': 'ユーザーはそこへ送られません。構成が完了していません',
  'found.address.unreached': 'ここから到達できません: {reason}',
  'found.base_url.other_issuer':
    '発行者が {issuer} のサーバーにつながっています。BASE_URL をクライアントが使うアドレスに設定してください',
  'found.base_url.reached': '同じベース URL を持つサーバーにつながっています',
  'found.base_url.status': 'ディスカバリーへの応答が {status} です',
  'found.check.too_late': '{seconds} 秒以内に応答がありませんでした',
  'found.console.other_site':
    '{baseUrl} とは別のサイトです。ブラウザーがセッションを送らないため、管理者は 10 分ごとにサインインし直すことになります',
  'found.console.other_tenant': '{baseUrl} のコンソールにつながりません。ホスト名をサーバーに渡してください',
  'found.console.reached': 'コンソールにつながっています',
  'found.console.status': '/console への応答が {status} です',
  'found.mail.answers': '{server} は応答しています',
  'found.mail.by_provider':
    '{connector} で送信しています。テストメッセージでのみ確認できます: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} は認証を受け付けています',
  'found.mail.none': 'コネクターが設定されていないため、メールは送信されず、メールによるコードも提供されません',
  'found.proxy.address': 'サーバーから見ると、このマシンの要求は {ip} から来ています',
  'found.proxy.other_database': 'ベース URL のサーバーは、このデータベースに書き込んでいません',
  'found.proxy.private':
    'サーバーから見ると、要求は {ip} から来ています。プロキシの場合は TRUSTED_PROXIES に記載してください',
  'found.token.answered': 'ベース URL を通したトークン要求に応答があります',
  'found.token.no_answer': 'ベース URL を通したトークン要求に応答がありません',
  'found.token.status': 'ベース URL を通したトークン要求の応答が {status} です',
  'asked.base_url': 'ベース URL {url}',
  'asked.connector': '{tenant} のコネクター {name}',
  'asked.console': 'コンソール {url}',
  'asked.mail': '{tenant} のメール',
  'asked.providers': '{tenant} のプロバイダー',
  'asked.proxy': 'プロキシ',
  'asked.sso_connector': '{tenant} の SSO コネクター {name}',
  'asked.token': 'トークン',
}
