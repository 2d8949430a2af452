/** Why tokens are as they are, in Dutch. */
import type { Reasons } from '../en/reasons.ts'

export const reasons: Reasons = {
  'reason.unconfigured':
    'De applicatie is van een derde: ze mag dit hier niet vragen, of de gebruiker heeft er niet mee ingestemd.',
  'reason.not_held': 'Geen rol heeft voor de resource een recht met precies deze naam.',
  'reason.gained_since':
    'De gebruiker heeft het nu, maar had het niet bij de autorisatie; een nieuwe autorisatie geeft het.',
  'reason.opaque_without_permissions': 'Het token is ondoorzichtig, voor userinfo, en heeft geen rechten.',
  'reason.opaque_without_refresh': 'Het token is ondoorzichtig, voor userinfo, en kan niet worden vernieuwd.',
  'reason.exchanged_without_oidc': 'Een omgewisseld token heeft geen scopes van OpenID Connect.',
  'reason.not_in_subject_token':
    'Het subjecttoken heeft hem niet, en de tenant beperkt omwisselingen tot de scopes ervan.',
  'reason.row_disallows': 'De rij ‘{row}’ van exchangePolicies staat het niet toe.',
  'reason.not_for_audience': 'identityAssertionAudiences van de applicatie staat het niet toe.',
  'reason.not_in_assertion': 'De identiteitsverklaring heeft hem niet.',
  'reason.not_of_signals': 'Dit is geen scope van Shared Signals.',
  'reason.no_grant_management': 'De applicatie beheert geen toestemmingen.',
  'reason.no_shared_sign_in': 'De applicatie deelt geen aanmeldingen met andere (nativeSsoGroup).',
  'reason.jwt_resource': 'Een JWT, omdat er een resource is gevraagd.',
  'reason.jwt_default': 'Een JWT voor de standaard-API, omdat er geen resource is gevraagd.',
  'reason.jwt_default_without_openid':
    'Een JWT voor de standaard-API: er is geen resource gevraagd en openid is niet onder de scopes.',
  'reason.jwt_details': 'Een JWT, omdat alle autorisatiedetails voor deze API zijn.',
  'reason.jwt_organization': 'Een JWT voor de organisatie, omdat die is gevraagd en geen resource.',
  'reason.jwt_organization_resource': 'Een JWT voor een API in een organisatie, omdat beide zijn gevraagd.',
  'reason.jwt_signals': 'Een JWT voor Shared Signals, omdat een ontvanger erom vroeg.',
  'reason.jwt_assertion': 'Een JWT voor de gebruiker van een identiteitsverklaring.',
  'reason.opaque_openid':
    'Een ondoorzichtig token voor userinfo: er is geen resource gevraagd en openid is onder de scopes.',
  'reason.opaque_nothing': 'Een ondoorzichtig token: er is geen resource gevraagd en geen standaard-API geautoriseerd.',
  'reason.assertion': 'Een identiteitsverklaring voor een andere autorisatieserver, omdat om id-jag is gevraagd.',
  'reason.rule_subjects': 'Ze geldt voor andere soorten subjecttokens.',
  'reason.rule_audiences': 'Ze geldt voor toegangstokens van andere API’s.',
  'reason.rule_applications': 'Ze geldt voor toegangstokens van andere applicaties.',
  'reason.rule_needs_actor': 'Ze vereist een actortoken.',
  'reason.rule_without_actor': 'Ze geldt voor omwisselingen zonder actortoken.',
  'reason.rule_resources': 'Ze geldt voor andere resources.',
  'reason.rule_audience_named':
    'exchangeSubjectAudiences noemt de doelgroep van het subjecttoken, of het heeft er geen.',
  'reason.rule_resource_named': 'exchangeTargetResources noemt de resource.',
  'reason.name_audiences': 'Toegangstokens voor andere API’s dan deze',
  'reason.name_targets': 'Andere doelen dan deze',
  'reason.name_rest': 'Waarvoor geen rij geldt',
  'reason.name_no_table': 'Zonder tabel',
}
