/** Why tokens are as they are, in Japanese. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured': 'アプリケーションは第三者のものです。ここで要求する設定がないか、ユーザーが同意していません。',
  'reason.not_held': 'このリソースに対してちょうどこの名前の権限を持つロールがありません。',
  'reason.gained_since':
    'ユーザーは現在持っていますが、認可した時点では持っていませんでした。新しい認可で付与されます。',
  'reason.opaque_without_permissions': 'トークンは userinfo 用の不透明なもので、権限がありません。',
  'reason.opaque_without_refresh': 'トークンは userinfo 用の不透明なもので、更新できません。',
  'reason.exchanged_without_oidc': '交換されたトークンには OpenID Connect のスコープがありません。',
  'reason.not_in_subject_token': 'サブジェクトトークンになく、テナントは交換をそのスコープに制限しています。',
  'reason.row_disallows': 'exchangePolicies の行「{row}」が許可していません。',
  'reason.not_for_audience': 'アプリケーションの identityAssertionAudiences が許可していません。',
  'reason.not_in_assertion': 'ID アサーションにありません。',
  'reason.not_of_signals': 'Shared Signals のスコープではありません。',
  'reason.no_grant_management': 'アプリケーションは許可を管理していません。',
  'reason.no_shared_sign_in': 'アプリケーションはほかとサインインを共有していません（nativeSsoGroup）。',
  'reason.jwt_resource': 'リソースが要求されたため JWT です。',
  'reason.jwt_default': 'リソースが要求されなかったため、既定の API 用の JWT です。',
  'reason.jwt_default_without_openid':
    '既定の API 用の JWT です。リソースが要求されず、スコープに openid がありません。',
  'reason.jwt_details': '認可の詳細がすべてこの API のものであるため JWT です。',
  'reason.jwt_organization': '組織が要求され、リソースは要求されなかったため、組織用の JWT です。',
  'reason.jwt_organization_resource': '両方が要求されたため、組織内の API 用の JWT です。',
  'reason.jwt_signals': '受信者が要求したため、Shared Signals 用の JWT です。',
  'reason.jwt_assertion': 'ID アサーションのユーザー用の JWT です。',
  'reason.opaque_openid': 'userinfo 用の不透明なトークンです。リソースが要求されず、スコープに openid があります。',
  'reason.opaque_nothing': '不透明なトークンです。リソースが要求されず、既定の API も認可されていません。',
  'reason.assertion': 'id-jag が要求されたため、別の認可サーバー用の ID アサーションです。',
  'reason.rule_subjects': 'ほかの種類のサブジェクトトークン用です。',
  'reason.rule_audiences': 'ほかの API のアクセストークン用です。',
  'reason.rule_applications': 'ほかのアプリケーションのアクセストークン用です。',
  'reason.rule_needs_actor': 'アクタートークンが必要です。',
  'reason.rule_without_actor': 'アクタートークンのない交換用です。',
  'reason.rule_resources': 'ほかのリソース用です。',
  'reason.rule_audience_named':
    'exchangeSubjectAudiences にサブジェクトトークンのオーディエンスがあるか、トークンにオーディエンスがありません。',
  'reason.rule_resource_named': 'exchangeTargetResources にリソースがあります。',
  'reason.name_audiences': 'これら以外の API のアクセストークン',
  'reason.name_targets': 'これら以外の対象',
  'reason.name_rest': 'どの行にも当てはまらないもの',
  'reason.name_no_table': '表なし',
}
