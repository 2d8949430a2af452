/** Why tokens are as they are, in Spanish. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'La aplicación es de un tercero: no está configurada para solicitarlo aquí, o el usuario no lo aceptó.',
  'reason.not_held': 'Ningún rol tiene un permiso con exactamente este nombre para el recurso.',
  'reason.gained_since': 'El usuario lo tiene ahora, pero no lo tenía al autorizar; una nueva autorización lo concede.',
  'reason.opaque_without_permissions': 'El token es opaco, para userinfo, y no tiene permisos.',
  'reason.opaque_without_refresh': 'El token es opaco, para userinfo, y no se puede renovar.',
  'reason.exchanged_without_oidc': 'Un token intercambiado no tiene scopes de OpenID Connect.',
  'reason.not_in_subject_token':
    'El token del sujeto no lo tiene, y el inquilino limita los intercambios a sus scopes.',
  'reason.row_disallows': 'La fila «{row}» de exchangePolicies no lo permite.',
  'reason.not_for_audience': 'identityAssertionAudiences de la aplicación no lo permite.',
  'reason.not_in_assertion': 'La aserción de identidad no lo tiene.',
  'reason.not_of_signals': 'No es un scope de Shared Signals.',
  'reason.no_grant_management': 'La aplicación no gestiona autorizaciones.',
  'reason.no_shared_sign_in': 'La aplicación no comparte inicios de sesión con otras (nativeSsoGroup).',
  'reason.jwt_resource': 'Un JWT, porque se pidió un recurso.',
  'reason.jwt_default': 'Un JWT para la API predeterminada, porque no se pidió ningún recurso.',
  'reason.jwt_default_without_openid':
    'Un JWT para la API predeterminada: no se pidió ningún recurso y openid no está entre los scopes.',
  'reason.jwt_details': 'Un JWT, porque todos los detalles de autorización son para esta API.',
  'reason.jwt_organization': 'Un JWT para la organización, porque se pidió sin ningún recurso.',
  'reason.jwt_organization_resource': 'Un JWT para una API en una organización, porque se pidieron ambas.',
  'reason.jwt_signals': 'Un JWT para Shared Signals, porque lo pidió un receptor.',
  'reason.jwt_assertion': 'Un JWT para el usuario de una aserción de identidad.',
  'reason.opaque_openid': 'Un token opaco para userinfo: no se pidió ningún recurso y openid está entre los scopes.',
  'reason.opaque_nothing': 'Un token opaco: no se pidió ningún recurso ni se autorizó una API predeterminada.',
  'reason.assertion': 'Una aserción de identidad para otro servidor de autorización, porque se pidió id-jag.',
  'reason.rule_subjects': 'Es para otros tipos de tokens de sujeto.',
  'reason.rule_audiences': 'Es para tokens de acceso de otras API.',
  'reason.rule_applications': 'Es para tokens de acceso de otras aplicaciones.',
  'reason.rule_needs_actor': 'Necesita un token de actor.',
  'reason.rule_without_actor': 'Es para intercambios sin token de actor.',
  'reason.rule_resources': 'Es para otros recursos.',
  'reason.rule_audience_named':
    'exchangeSubjectAudiences nombra la audiencia del token de sujeto, o este no tiene ninguna.',
  'reason.rule_resource_named': 'exchangeTargetResources nombra el recurso.',
  'reason.name_audiences': 'Tokens de acceso para otras API que no sean estas',
  'reason.name_targets': 'Otros destinos que no sean estos',
  'reason.name_rest': 'Lo que ninguna fila abarca',
  'reason.name_no_table': 'Sin tabla',
}
