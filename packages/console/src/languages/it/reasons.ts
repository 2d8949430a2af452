/** Why tokens are as they are, in Italian. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'L’applicazione è di terze parti: non è configurata per richiederlo qui, o l’utente non ha acconsentito.',
  'reason.not_held': 'Nessun ruolo ha un’autorizzazione con esattamente questo nome per la risorsa.',
  'reason.gained_since':
    'L’utente ora ce l’ha, ma non l’aveva quando ha autorizzato; una nuova autorizzazione lo concede.',
  'reason.opaque_without_permissions': 'Il token è opaco, per userinfo, e non ha autorizzazioni.',
  'reason.opaque_without_refresh': 'Il token è opaco, per userinfo, e non può essere rinnovato.',
  'reason.exchanged_without_oidc': 'Un token scambiato non ha scope di OpenID Connect.',
  'reason.not_in_subject_token': 'Il token del soggetto non ce l’ha, e il tenant limita gli scambi ai suoi scope.',
  'reason.row_disallows': 'La riga «{row}» di exchangePolicies non lo consente.',
  'reason.not_for_audience': 'identityAssertionAudiences dell’applicazione non lo consente.',
  'reason.not_in_assertion': 'L’asserzione di identità non ce l’ha.',
  'reason.not_of_signals': 'Non è uno scope di Shared Signals.',
  'reason.no_grant_management': 'L’applicazione non gestisce concessioni.',
  'reason.no_shared_sign_in': 'L’applicazione non condivide accessi con altre (nativeSsoGroup).',
  'reason.jwt_resource': 'Un JWT, perché è stata richiesta una risorsa.',
  'reason.jwt_default': 'Un JWT per l’API predefinita, perché non è stata richiesta alcuna risorsa.',
  'reason.jwt_default_without_openid':
    'Un JWT per l’API predefinita: non è stata richiesta alcuna risorsa e openid non è tra gli scope.',
  'reason.jwt_details': 'Un JWT, perché tutti i dettagli di autorizzazione sono per questa API.',
  'reason.jwt_organization': 'Un JWT per l’organizzazione, perché è stata richiesta senza alcuna risorsa.',
  'reason.jwt_organization_resource': 'Un JWT per un’API in un’organizzazione, perché sono state richieste entrambe.',
  'reason.jwt_signals': 'Un JWT per Shared Signals, perché lo ha richiesto un ricevitore.',
  'reason.jwt_assertion': 'Un JWT per l’utente di un’asserzione di identità.',
  'reason.opaque_openid': 'Un token opaco per userinfo: non è stata richiesta alcuna risorsa e openid è tra gli scope.',
  'reason.opaque_nothing': 'Un token opaco: non è stata richiesta alcuna risorsa né autorizzata un’API predefinita.',
  'reason.assertion':
    'Un’asserzione di identità per un altro server di autorizzazione, perché è stato richiesto id-jag.',
  'reason.rule_subjects': 'Vale per altri tipi di token del soggetto.',
  'reason.rule_audiences': 'Vale per token di accesso di altre API.',
  'reason.rule_applications': 'Vale per token di accesso di altre applicazioni.',
  'reason.rule_needs_actor': 'Richiede un token dell’attore.',
  'reason.rule_without_actor': 'Vale per scambi senza token dell’attore.',
  'reason.rule_resources': 'Vale per altre risorse.',
  'reason.rule_audience_named':
    'exchangeSubjectAudiences nomina il destinatario del token del soggetto, o questo non ne ha.',
  'reason.rule_resource_named': 'exchangeTargetResources nomina la risorsa.',
  'reason.name_audiences': 'Token di accesso per API diverse da queste',
  'reason.name_targets': 'Destinazioni diverse da queste',
  'reason.name_rest': 'Ciò a cui non si applica alcuna riga',
  'reason.name_no_table': 'Senza tabella',
}
