/** What errors of the Management API say in Dutch. */
import type { ErrorPhrases } from '../errors.ts'

export const errors: ErrorPhrases = {
  'password.invalid_legacy_password_format':
    'Een Legacy-wachtwoord is ["algoritme", ["argument", "@"], "hash"] als JSON-tekst, met geldige argumenten voor het algoritme en aanvaardbare kosten.',
  'password.unsupported_encryption_method':
    'Wachtwoorden die met {name} gehasht zijn, kunnen niet worden geïmporteerd.',
  'password.unsupported_legacy_hash_algorithm': 'Legacy-wachtwoorden kunnen niet met {algorithm} gehasht zijn.',
  'sign_in_experiences.adaptive_mfa_requires_mfa': 'Adaptieve MFA heeft tweede factoren nodig om naar te vragen.',
  'sign_in_experiences.adaptive_mfa_requires_non_skippable_policy':
    'Adaptieve MFA heeft de regel PromptOnlyAtSignInMandatory of PromptAtSignInAndSignUpMandatory nodig.',
  'sign_in_experiences.backup_code_cannot_be_enabled_alone': 'Back-upcodes hebben een andere factor naast zich nodig.',
  'sign_in_experiences.duplicated_mfa_factors': 'Een factor staat er dubbel.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa':
    'Codes per e-mail dienen hier om in te loggen: ze kunnen niet ook een tweede factor zijn.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa':
    'Codes per sms dienen hier om in te loggen: ze kunnen niet ook een tweede factor zijn.',
  'sign_in_experiences.at_least_one_authentication_factor':
    'Elke inlogmethode heeft een wachtwoord of een verificatiecode nodig.',
  'sign_in_experiences.duplicated_sign_up_identifiers': 'Een identificatie staat er dubbel.',
  'sign_in_experiences.code_sign_in_must_be_enabled':
    'Wie zich met {identifier} zonder wachtwoord registreert, heeft codes nodig om in te loggen.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in':
    'Codes per e-mail zijn hier een tweede factor: ze kunnen niet ook dienen om in te loggen.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in':
    'Codes per sms zijn hier een tweede factor: ze kunnen niet ook dienen om in te loggen.',
  'sign_in_experiences.enabled_connector_not_found': 'Hiervoor is een connector van het type {type} nodig.',
  'sign_in_experiences.forgot_password_method_requires_connector':
    '{method} heeft een connector nodig die deze codes verstuurt.',
  'sign_in_experiences.invalid_custom_email_blocklist_format':
    'Een regel is een e-mailadres of een domein zoals @example.com.',
  'sign_in_experiences.miss_sign_up_identifier_in_sign_in':
    'Wie zich met {identifier} registreert, zou niet kunnen inloggen.',
  'sign_in_experiences.missing_sign_up_identifiers': 'Registratie heeft minstens één identificatie nodig.',
  'sign_in_experiences.password_expiration_invalid_period_days':
    'validPeriodDays zegt hoeveel dagen een wachtwoord geldig is.',
  'sign_in_experiences.password_expiration_not_enabled': 'Wachtwoorden verlopen hier niet.',
  'sign_in_experiences.password_expiration_requires_forgot_password':
    'Wachtwoorden kunnen alleen verlopen waar vergeten wachtwoorden per e-mail opnieuw kunnen worden ingesteld.',
  'sign_in_experiences.password_sign_in_must_be_enabled':
    'Gebruikers registreren zich met een wachtwoord en zouden er niet mee kunnen inloggen via {identifier}.',
  'sign_in_experiences.passwordless_requires_verify': 'Registratie zonder wachtwoord heeft verificatie nodig.',
  'sign_in_experiences.unsupported_default_language': 'De pagina’s zijn er niet in {language}, alleen in {languages}.',
  'sign_in_experiences.username_policy_case_conflicts_exist':
    'Sommige gebruikersnamen verschillen alleen in hoofdletters. Wijzig die eerst.',
  'sign_in_experiences.username_requires_password': 'Registratie met een gebruikersnaam heeft een wachtwoord nodig.',
  'user.cannot_delete_self': 'Gebruikers kunnen zichzelf hier niet verwijderen.',
  'user.email_already_in_use': 'Dit e-mailadres is van een andere gebruiker.',
  'user.identity_not_exist': 'Geen enkele gebruiker heeft dit sociale account.',
  'user.invalid_email': 'Dit is geen geldig e-mailadres van hoogstens 128 tekens.',
  'user.invalid_phone':
    'Een telefoonnummer bestaat uit het landnummer en zoveel cijfers als nummers in dat land hebben.',
  'user.invalid_role_type': 'Een gebruiker kan alleen rollen van het type User hebben.',
  'user.password_algorithm_required': 'passwordDigest heeft passwordAlgorithm nodig.',
  'user.password_and_digest': 'Er kan óf password óf passwordDigest zijn.',
  'user.personal_access_token_name_exists': 'De gebruiker heeft al een persoonlijk toegangstoken met deze naam.',
  'user.phone_already_in_use': 'Een andere gebruiker heeft dit telefoonnummer.',
  'user.username_already_in_use': 'Een andere gebruiker heeft deze gebruikersnaam; hoofdletters tellen niet.',
  'user.username_invalid_charset_hard':
    'Een gebruikersnaam bestaat uit ASCII-letters, cijfers, onderstrepingstekens, punten en streepjes, en begint met een letter of onderstrepingsteken.',
  'user.username_starts_with_number': 'Een gebruikersnaam kan niet met een cijfer beginnen.',
  'user.username_too_long': 'Een gebruikersnaam heeft hoogstens {max} tekens.',
  'user_import.not_the_next_batch': 'Deze regels volgen niet op de geïmporteerde. De volgende regel is {line}.',
  'administrator.last_owner':
    'Dit is de laatste eigenaar van de tenant die niet geblokkeerd is: maak eerst een andere.',
  'administrator_role.built_in': 'Een ingebouwde rol kan niet worden gewijzigd of verwijderd.',
  'administrator_role.in_use': 'Beheerders hebben deze rol: geef hun eerst een andere.',
  'administrator_role.name_in_use': 'Er is al een beheerdersrol met deze naam.',
  'application.invalid_third_party_application_type':
    'Alleen applicaties van de typen Traditional, SPA en Native kunnen van derden zijn.',
  'application.invalid_type': 'Dit is er niet voor applicaties van dit type.',
  'application.invalid_role_type': 'Een applicatie kan alleen rollen van het type MachineToMachine hebben.',
  'application.secret_name_exists': 'De applicatie heeft al een geheim met deze naam.',
  'application.device_flow_native_only': 'Alleen applicaties van het type Native kunnen de device flow gebruiken.',
  'application.device_flow_not_changeable':
    'Of een applicatie de device flow gebruikt, wordt bij het aanmaken bepaald.',
  'application.third_party_application_cannot_enable_token_exchange':
    'Een applicatie van derden kan tokenuitwisseling niet inschakelen.',
  'application.third_party_application_only': 'Dit is er alleen voor applicaties van derden.',
  'application.access_control_empty': 'De toegangsregels zouden geen enkele gebruiker toelaten: {reason}',
  'application.user_consent_scopes_not_found': 'Een van de opgegeven scopes bestaat niet.',
  'application.consent_management_api_scopes_not_allowed':
    'Applicaties van derden kunnen geen rechten van de Management API vragen.',
  'application.saml.acs_url_binding_not_supported': 'Antwoorden worden alleen via de binding HTTP-POST verstuurd.',
  'application.saml.acs_url_scheme_not_supported':
    'Dit adres moet met https:// beginnen (of met http:// en een loopback-host): {url}',
  'application.saml.can_not_delete_active_secret': 'De actieve sleutel kan niet worden verwijderd.',
  'application.saml.invalid_certificate_pem_format': 'Dit is geen X.509-certificaat in PEM: {reason}',
  'application.saml.reach_limit': 'Een SAML-applicatie heeft hoogstens {limit} sleutels.',
  'application.saml.saml_application_only': 'Dit is er alleen voor SAML-applicaties.',
  'application.saml.use_saml_app_api': 'Applicaties van het type SAML worden via hun eigen API beheerd.',
  'auth.forbidden': 'Je mist het recht dat hiervoor nodig is.',
  'auth.step_up_required': 'Hiervoor moet je onlangs hebben ingelogd: log opnieuw in en herhaal het.',
  'auth.unauthorized': 'Het toegangstoken geldt niet voor deze API.',
  'authorization_details.invalid_schema': 'Het schema is niet geldig: {reason}.',
  'authorization_details.invalid_template':
    'De zin voor {language} heeft een accolade die bij geen naam van een waarde hoort.',
  'authorization_details.too_many_types': 'Een tenant heeft hoogstens {limit} soorten autorisatiedetails.',
  'authorization_details.type_exists': 'Er is al een soort autorisatiedetails met deze naam.',
  'connector.can_not_modify_target': 'Het doel van een connector kan niet worden gewijzigd.',
  'connector.general': 'Het bericht kon niet worden verstuurd: {reason}',
  'connector.invalid_type_for_syncing_profile': 'Alleen sociale connectoren hebben profielen.',
  'connector.multiple_target_with_same_platform': 'Er is al een connector met het doel {target}.',
  'connector.not_found': 'Er is geen connector voor berichten van deze soort.',
  'connector.not_found_with_connector_id': 'Er is geen soort connector met de id {id}.',
  'connector.should_specify_target': 'Een connector voor een standaard heeft een doel in zijn metadata nodig.',
  'connector.token_storage_not_supported': 'Alleen sociale connectoren hebben tokens die bewaard kunnen worden.',
  'connector.unexpected_type': 'Dit kan niet met een connector van dit type.',
  'custom_profile_fields.conflicted_sie_order': 'Twee velden zouden dezelfde plaats hebben.',
  'custom_profile_fields.entity_not_exists_with_names': 'Er zijn geen velden met deze namen: {names}',
  'custom_profile_fields.invalid_address_components':
    'Een Address-veld heeft delen van een adres, elk één keer, en een ervan ingeschakeld.',
  'custom_profile_fields.invalid_default_value': 'De standaardwaarde van een Checkbox is true of false.',
  'custom_profile_fields.invalid_fullname_components':
    'Een Fullname-veld heeft delen van een naam, elk één keer, en een ervan ingeschakeld.',
  'custom_profile_fields.invalid_min_max_input': 'Het minimum is groter dan het maximum.',
  'custom_profile_fields.invalid_name': 'De naam van een veld bestaat uit letters en cijfers.',
  'custom_profile_fields.invalid_options': 'Een Select-veld heeft minstens één optie, en elke waarde één keer.',
  'custom_profile_fields.invalid_regex_format':
    'Een Regex-veld heeft een expressie in RE2-syntaxis, zonder look-around en terugverwijzingen.',
  'custom_profile_fields.invalid_sub_component_type': 'Delen zijn van het type Text, Select of Regex.',
  'custom_profile_fields.name_conflict_built_in_prop': 'Gebruikers hebben {name} al, en daar past zo’n veld niet bij.',
  'custom_profile_fields.name_conflict_sign_in_identifier':
    '{name} dient om in te loggen en is geen veld van het profiel.',
  'custom_profile_fields.name_exists': 'Er is al een veld met deze naam.',
  'custom_profile_fields.name_required': 'Een veld heeft een naam nodig.',
  'entity.not_exists_with_id': 'Met de id {id} is hier niets, of niets meer.',
  'entity.not_found': 'Er is niets op dit adres.',
  'entity.relation_foreign_key_not_found': 'Een van de opgegeven id’s bestaat niet.',
  'entity.unique_integrity_violation': 'Er bestaat al iets met dezelfde naam of id.',
  'entity.db_constraint_violated': 'De wijziging schendt een voorwaarde van de gegevens.',
  'guard.file_size_exceeded': 'Het bestand is groter dan {limit} bytes.',
  'guard.invalid_input': 'Dit is zo niet geldig: {reason}',
  'guard.invalid_pagination': 'De paginagegevens zijn niet geldig: {reason}',
  'guard.mime_type_not_allowed': 'Het type van het bestand moet een van deze zijn: {allowed}.',
  'declaration.invalid': 'Het bestand wordt geweigerd: {reason}',
  'declaration.not_writable': 'De tenant kan niet als bestand worden geschreven: {reason}',
  'impersonation.refused': 'Namens deze gebruiker kan zo niet worden gehandeld: {reason}.',
  'jwt_customizer.general': 'Het script is mislukt: {reason}',
  'hook.disabled': 'De webhook staat uit; zet hem eerst aan.',
  'hook.endpoint_responded_with_error': 'De ontvanger antwoordde {responseStatus}.',
  'hook.invalid_url': 'De URL van een webhook moet http of https zijn, zonder gebruikersgegevens en fragment.',
  'hook.insecure_url':
    'De URL van een webhook moet https zijn; http mag alleen voor de machine van de server en voor hosts in OUTBOUND_ALLOW.',
  'hook.missing_events': 'Een webhook heeft minstens één gebeurtenis nodig.',
  'hook.reserved_header': 'De server zet de header {name} zelf.',
  'hook.send_test_payload_failed': 'Er kwam geen antwoord: {reason}.',
  'hook.too_many_events': 'Dit zijn meer dan {limit} gebeurtenissen; kies een kortere periode.',
  'localization.cannot_delete_default_language':
    'Deze teksten zijn alles wat de pagina’s in de standaardtaal hebben. Kies eerst een andere standaardtaal.',
  'localization.invalid_translation_structure': 'De tekst ‘{key}’ kan niet worden opgeslagen: {reason}.',
  'log.invalid_time_window': 'Het begin moet vóór het einde liggen.',
  'oidc.key_not_found': 'Er is geen ondertekeningssleutel met deze id.',
  'oidc.session_not_found': 'Er is geen sessie met deze id.',
  'oidc.invalid_session_account_id': 'De sessie is van een andere gebruiker.',
  'oidc.only_previous_key_can_be_deleted': 'Alleen een sleutel in de toestand Previous kan worden verwijderd.',
  'organization.invitation_not_pending': 'De uitnodiging heeft de toestand {status} en kan niet meer worden gewijzigd.',
  'organization.invitation_wrong_user': 'acceptedUserId moet de gebruiker zijn die het uitgenodigde e-mailadres heeft.',
  'organization.invitee_is_member': 'De gebruiker met dit e-mailadres is al lid.',
  'organization.require_membership': 'De gebruiker of de applicatie is geen lid van de organisatie.',
  'organization.role_names_not_found': 'Er is geen organisatierol met deze naam.',
  'request.body_too_large': 'Het verzoek is groter dan {limit} bytes.',
  'request.feature_not_supported': 'De server ondersteunt dit nog niet: {feature}',
  'request.invalid_input': 'Het verzoek is niet geldig: {reason}',
  'request.not_found': 'Er is niets op dit adres.',
  'request.message_rate_limited': 'Aan deze ontvanger zijn te veel berichten verstuurd. Probeer het later opnieuw.',
  'request.precondition_failed': 'Dit is intussen gewijzigd: laad het opnieuw.',
  'request.rate_limited': 'Er waren te veel pogingen vanaf dit adres. Probeer het later opnieuw.',
  'request.too_slow': 'Het verzoek kwam niet binnen {seconds} seconden aan.',
  'request.unavailable': 'De server kan nu niet antwoorden: {reason}',
  'resource.cannot_delete_management_api': 'De Management API kan niet worden verwijderd.',
  'resource.cannot_modify_management_api': 'De Management API en haar rechten kunnen niet worden gewijzigd.',
  'resource.invalid_indicator':
    'De indicator moet een volledige URI zonder fragment zijn, en niet een die voor organisaties is gereserveerd.',
  'resource.resource_identifier_in_use': 'Er is al een API met deze indicator.',
  'role.application_exists': 'Een applicatie heeft deze rol al.',
  'role.management_api_scopes_not_assignable_to_user_role':
    'Alleen rollen van het type MachineToMachine kunnen rechten van de Management API bevatten.',
  'role.user_exists': 'Een gebruiker heeft deze rol al.',
  'role.name_in_use': 'Er is al een rol met deze naam.',
  'role.scope_exists': 'De rol bevat dit recht al.',
  'role.default_role_missing': 'Geen rol van het type MachineToMachine bevat het gevraagde recht.',
  'role.default_role_type': 'Alleen rollen van het type User kunnen standaardrollen zijn.',
  'scope.name_exists': 'De API heeft al een recht met deze naam.',
  'scope.name_with_space':
    'De naam van een recht bestaat uit afdrukbare ASCII-tekens, zonder spatie, aanhalingsteken en backslash.',
  'server.error': 'Op de server ging iets mis. Zoek de id van het verzoek in het logboek.',
  'single_sign_on.can_not_delete_active_signing_key':
    'De sleutel is actief. Activeer eerst een andere, of deactiveer deze.',
  'single_sign_on.connector_of_organization': 'Deze connectoren zijn van een andere organisatie: {ids}',
  'single_sign_on.domain_in_use': 'Anderen loggen in met adressen van dit domein.',
  'single_sign_on.domain_not_verified': 'De organisatie moet aantonen dat deze domeinen van haar zijn: {domains}',
  'single_sign_on.domain_record_not_found': 'Het TXT-record {name} met de waarde {value} is niet gevonden: {reason}',
  'single_sign_on.duplicate_connector_name': 'Er is al een SSO-connector met deze naam.',
  'single_sign_on.duplicated_domains': 'Een domein staat er dubbel: {domains}',
  'single_sign_on.forbidden_domains': 'Daar kan iedereen een adres hebben: {domains}',
  'single_sign_on.invalid_domain_format': 'Dit zijn geen domeinnamen: {domains}',
  'single_sign_on.reach_limit': 'Een organisatie kan er {limit} hebben.',
  'single_sign_on.sso_signing_unavailable': 'Alleen SAML-connectoren hebben ondertekeningssleutels.',
  'subject_token.user_suspended': 'De gebruiker is geblokkeerd.',
}
