/** Why tokens are as they are, in Portuguese. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'A aplicação é de terceiros: não está configurada para o pedir aqui, ou o utilizador não consentiu.',
  'reason.not_held': 'Nenhuma função tem uma permissão com exatamente este nome para o recurso.',
  'reason.gained_since': 'O utilizador tem-na agora, mas não a tinha ao autorizar; uma nova autorização concede-a.',
  'reason.opaque_without_permissions': 'O token é opaco, para userinfo, e não tem permissões.',
  'reason.opaque_without_refresh': 'O token é opaco, para userinfo, e não pode ser renovado.',
  'reason.exchanged_without_oidc': 'Um token trocado não tem scopes do OpenID Connect.',
  'reason.not_in_subject_token': 'O token do sujeito não o tem, e o inquilino limita as trocas aos seus scopes.',
  'reason.row_disallows': 'A linha «{row}» de exchangePolicies não o permite.',
  'reason.not_for_audience': 'identityAssertionAudiences da aplicação não o permite.',
  'reason.not_in_assertion': 'A asserção de identidade não o tem.',
  'reason.not_of_signals': 'Não é um scope de Shared Signals.',
  'reason.no_grant_management': 'A aplicação não gere autorizações.',
  'reason.no_shared_sign_in': 'A aplicação não partilha inícios de sessão com outras (nativeSsoGroup).',
  'reason.jwt_resource': 'Um JWT, porque foi pedido um recurso.',
  'reason.jwt_default': 'Um JWT para a API predefinida, porque não foi pedido nenhum recurso.',
  'reason.jwt_default_without_openid':
    'Um JWT para a API predefinida: não foi pedido nenhum recurso e openid não está entre os scopes.',
  'reason.jwt_details': 'Um JWT, porque todos os detalhes de autorização são para esta API.',
  'reason.jwt_organization': 'Um JWT para a organização, porque foi pedida sem nenhum recurso.',
  'reason.jwt_organization_resource': 'Um JWT para uma API numa organização, porque ambas foram pedidas.',
  'reason.jwt_signals': 'Um JWT para Shared Signals, porque um recetor o pediu.',
  'reason.jwt_assertion': 'Um JWT para o utilizador de uma asserção de identidade.',
  'reason.opaque_openid': 'Um token opaco para userinfo: não foi pedido nenhum recurso e openid está entre os scopes.',
  'reason.opaque_nothing': 'Um token opaco: não foi pedido nenhum recurso nem autorizada uma API predefinida.',
  'reason.assertion': 'Uma asserção de identidade para outro servidor de autorização, porque foi pedido id-jag.',
  'reason.rule_subjects': 'É para outros tipos de tokens de sujeito.',
  'reason.rule_audiences': 'É para tokens de acesso de outras API.',
  'reason.rule_applications': 'É para tokens de acesso de outras aplicações.',
  'reason.rule_needs_actor': 'Precisa de um token de ator.',
  'reason.rule_without_actor': 'É para trocas sem token de ator.',
  'reason.rule_resources': 'É para outros recursos.',
  'reason.rule_audience_named':
    'exchangeSubjectAudiences nomeia a audiência do token do sujeito, ou este não tem nenhuma.',
  'reason.rule_resource_named': 'exchangeTargetResources nomeia o recurso.',
  'reason.name_audiences': 'Tokens de acesso para outras API que não estas',
  'reason.name_targets': 'Outros destinos que não estes',
  'reason.name_rest': 'O que nenhuma linha abrange',
  'reason.name_no_table': 'Sem tabela',
}
