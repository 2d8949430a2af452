/** Why tokens are as they are, in French. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'L’application est tierce : elle n’est pas configurée pour le demander ici, ou l’utilisateur n’y a pas consenti.',
  'reason.not_held': 'Aucun rôle ne contient une permission portant exactement ce nom pour la ressource.',
  'reason.gained_since':
    'L’utilisateur l’a maintenant, mais ne l’avait pas lors de l’autorisation ; une nouvelle autorisation l’accorde.',
  'reason.opaque_without_permissions': 'Le jeton est opaque, pour userinfo, et n’a aucune permission.',
  'reason.opaque_without_refresh': 'Le jeton est opaque, pour userinfo, et ne peut pas être renouvelé.',
  'reason.exchanged_without_oidc': 'Un jeton échangé n’a pas de scopes OpenID Connect.',
  'reason.not_in_subject_token': 'Le jeton sujet ne l’a pas, et le locataire limite les échanges à ses scopes.',
  'reason.row_disallows': 'La ligne « {row} » de exchangePolicies ne l’autorise pas.',
  'reason.not_for_audience': 'identityAssertionAudiences de l’application ne l’autorise pas.',
  'reason.not_in_assertion': 'L’assertion d’identité ne l’a pas.',
  'reason.not_of_signals': 'Ce n’est pas un scope de Shared Signals.',
  'reason.no_grant_management': 'L’application ne gère pas d’autorisations.',
  'reason.no_shared_sign_in': 'L’application ne partage ses connexions avec aucune autre (nativeSsoGroup).',
  'reason.jwt_resource': 'Un JWT, car une ressource a été demandée.',
  'reason.jwt_default': 'Un JWT pour l’API par défaut, car aucune ressource n’a été demandée.',
  'reason.jwt_default_without_openid':
    'Un JWT pour l’API par défaut : aucune ressource n’a été demandée et openid n’est pas parmi les scopes.',
  'reason.jwt_details': 'Un JWT, car tous les détails d’autorisation concernent cette API.',
  'reason.jwt_organization': 'Un JWT pour l’organisation, car elle a été demandée sans ressource.',
  'reason.jwt_organization_resource': 'Un JWT pour une API dans une organisation, car les deux ont été demandées.',
  'reason.jwt_signals': 'Un JWT pour Shared Signals, car un récepteur l’a demandé.',
  'reason.jwt_assertion': 'Un JWT pour l’utilisateur d’une assertion d’identité.',
  'reason.opaque_openid':
    'Un jeton opaque pour userinfo : aucune ressource n’a été demandée et openid est parmi les scopes.',
  'reason.opaque_nothing':
    'Un jeton opaque : aucune ressource n’a été demandée et aucune API par défaut n’a été autorisée.',
  'reason.assertion': 'Une assertion d’identité pour un autre serveur d’autorisation, car id-jag a été demandé.',
  'reason.rule_subjects': 'Elle vise d’autres types de jetons sujets.',
  'reason.rule_audiences': 'Elle vise les jetons d’accès d’autres API.',
  'reason.rule_applications': 'Elle vise les jetons d’accès d’autres applications.',
  'reason.rule_needs_actor': 'Elle exige un jeton acteur.',
  'reason.rule_without_actor': 'Elle vise les échanges sans jeton acteur.',
  'reason.rule_resources': 'Elle vise d’autres ressources.',
  'reason.rule_audience_named': 'exchangeSubjectAudiences nomme l’audience du jeton sujet, ou il n’en a pas.',
  'reason.rule_resource_named': 'exchangeTargetResources nomme la ressource.',
  'reason.name_audiences': 'Jetons d’accès pour d’autres API que celles-ci',
  'reason.name_targets': 'Autres cibles que celles-ci',
  'reason.name_rest': 'Ce qu’aucune ligne ne couvre',
  'reason.name_no_table': 'Sans table',
}
