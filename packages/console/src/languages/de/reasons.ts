/** Why tokens are as they are, in German. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'Die Anwendung gehört einem Dritten: Sie darf das hier nicht anfordern, oder der Benutzer hat nicht zugestimmt.',
  'reason.not_held': 'Keine Rolle enthält für die Ressource eine Berechtigung mit genau diesem Namen.',
  'reason.gained_since':
    'Der Benutzer hat sie jetzt, hatte sie aber bei der Autorisierung nicht; eine neue Autorisierung gewährt sie.',
  'reason.opaque_without_permissions': 'Das Token ist opak, für Userinfo, und hat keine Berechtigungen.',
  'reason.opaque_without_refresh': 'Das Token ist opak, für Userinfo, und kann nicht erneuert werden.',
  'reason.exchanged_without_oidc': 'Ein ausgetauschtes Token hat keine Scopes von OpenID Connect.',
  'reason.not_in_subject_token':
    'Das Subject-Token hat ihn nicht, und der Mandant beschränkt den Austausch auf dessen Scopes.',
  'reason.row_disallows': 'Die Zeile „{row}“ von exchangePolicies erlaubt ihn nicht.',
  'reason.not_for_audience': 'identityAssertionAudiences der Anwendung erlaubt ihn nicht.',
  'reason.not_in_assertion': 'Die Identitätszusicherung hat ihn nicht.',
  'reason.not_of_signals': 'Das ist kein Scope von Shared Signals.',
  'reason.no_grant_management': 'Die Anwendung verwaltet keine Freigaben.',
  'reason.no_shared_sign_in': 'Die Anwendung teilt keine Anmeldungen mit anderen (nativeSsoGroup).',
  'reason.jwt_resource': 'Ein JWT, weil eine Ressource verlangt wurde.',
  'reason.jwt_default': 'Ein JWT für die Standard-API, weil keine Ressource verlangt wurde.',
  'reason.jwt_default_without_openid':
    'Ein JWT für die Standard-API: Es wurde keine Ressource verlangt, und openid ist nicht unter den Scopes.',
  'reason.jwt_details': 'Ein JWT, weil alle Autorisierungsdetails für diese API sind.',
  'reason.jwt_organization': 'Ein JWT für die Organisation, weil sie verlangt wurde und keine Ressource.',
  'reason.jwt_organization_resource': 'Ein JWT für eine API in einer Organisation, weil beide verlangt wurden.',
  'reason.jwt_signals': 'Ein JWT für Shared Signals, weil ein Empfänger es verlangt hat.',
  'reason.jwt_assertion': 'Ein JWT für den Benutzer einer Identitätszusicherung.',
  'reason.opaque_openid':
    'Ein opakes Token für Userinfo: Es wurde keine Ressource verlangt, und openid ist unter den Scopes.',
  'reason.opaque_nothing': 'Ein opakes Token: Es wurde keine Ressource verlangt und keine Standard-API autorisiert.',
  'reason.assertion': 'Eine Identitätszusicherung für einen anderen Autorisierungsserver, weil id-jag verlangt wurde.',
  'reason.rule_subjects': 'Sie gilt für andere Arten von Subject-Tokens.',
  'reason.rule_audiences': 'Sie gilt für Zugriffstoken anderer APIs.',
  'reason.rule_applications': 'Sie gilt für Zugriffstoken anderer Anwendungen.',
  'reason.rule_needs_actor': 'Sie verlangt ein Actor-Token.',
  'reason.rule_without_actor': 'Sie gilt für einen Austausch ohne Actor-Token.',
  'reason.rule_resources': 'Sie gilt für andere Ressourcen.',
  'reason.rule_audience_named': 'exchangeSubjectAudiences nennt die Zielgruppe des Subject-Tokens, oder es hat keine.',
  'reason.rule_resource_named': 'exchangeTargetResources nennt die Ressource.',
  'reason.name_audiences': 'Zugriffstoken für andere APIs als diese',
  'reason.name_targets': 'Andere Ziele als diese',
  'reason.name_rest': 'Wofür keine Zeile gilt',
  'reason.name_no_table': 'Ohne Tabelle',
}
