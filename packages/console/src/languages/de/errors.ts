/** What errors of the Management API say in German. */
import type { ErrorPhrases } from '../errors.ts'

export const errors: ErrorPhrases = {
  'password.invalid_legacy_password_format':
    'Ein Legacy-Passwort ist ["Algorithmus", ["Argument", "@"], "Hash"] als JSON-Text, mit gültigen Argumenten für den Algorithmus und vertretbarem Aufwand.',
  'password.unsupported_encryption_method': 'Passwörter, die mit {name} gehasht sind, können nicht importiert werden.',
  'password.unsupported_legacy_hash_algorithm': 'Legacy-Passwörter können nicht mit {algorithm} gehasht sein.',
  'sign_in_experiences.adaptive_mfa_requires_mfa':
    'Adaptive MFA braucht zweite Faktoren, nach denen gefragt werden kann.',
  'sign_in_experiences.adaptive_mfa_requires_non_skippable_policy':
    'Adaptive MFA braucht die Richtlinie PromptOnlyAtSignInMandatory oder PromptAtSignInAndSignUpMandatory.',
  'sign_in_experiences.backup_code_cannot_be_enabled_alone': 'Backup-Codes brauchen einen weiteren Faktor neben sich.',
  'sign_in_experiences.duplicated_mfa_factors': 'Ein Faktor ist doppelt angegeben.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa':
    'Codes per E-Mail dienen hier zur Anmeldung: Sie können nicht zugleich zweiter Faktor sein.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa':
    'Codes per SMS dienen hier zur Anmeldung: Sie können nicht zugleich zweiter Faktor sein.',
  'sign_in_experiences.at_least_one_authentication_factor':
    'Jede Anmeldemethode braucht ein Passwort oder einen Bestätigungscode.',
  'sign_in_experiences.duplicated_sign_up_identifiers': 'Eine Kennung ist doppelt angegeben.',
  'sign_in_experiences.code_sign_in_must_be_enabled':
    'Wer sich mit {identifier} ohne Passwort registriert, braucht Codes, um sich anzumelden.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in':
    'Codes per E-Mail sind hier zweiter Faktor: Sie können nicht zugleich zur Anmeldung dienen.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in':
    'Codes per SMS sind hier zweiter Faktor: Sie können nicht zugleich zur Anmeldung dienen.',
  'sign_in_experiences.enabled_connector_not_found': 'Dafür wird ein Konnektor vom Typ {type} gebraucht.',
  'sign_in_experiences.forgot_password_method_requires_connector':
    '{method} braucht einen Konnektor, der diese Codes sendet.',
  'sign_in_experiences.invalid_custom_email_blocklist_format':
    'Ein Eintrag ist eine E-Mail-Adresse oder eine Domain wie @example.com.',
  'sign_in_experiences.miss_sign_up_identifier_in_sign_in':
    'Wer sich mit {identifier} registriert, könnte sich nicht anmelden.',
  'sign_in_experiences.missing_sign_up_identifiers': 'Die Registrierung braucht mindestens eine Kennung.',
  'sign_in_experiences.password_expiration_invalid_period_days':
    'validPeriodDays sagt, wie viele Tage ein Passwort gilt.',
  'sign_in_experiences.password_expiration_not_enabled': 'Passwörter laufen hier nicht ab.',
  'sign_in_experiences.password_expiration_requires_forgot_password':
    'Passwörter können nur ablaufen, wo sich vergessene per E-Mail zurücksetzen lassen.',
  'sign_in_experiences.password_sign_in_must_be_enabled':
    'Benutzer registrieren sich mit einem Passwort und könnten sich damit nicht über {identifier} anmelden.',
  'sign_in_experiences.passwordless_requires_verify': 'Eine Registrierung ohne Passwort braucht eine Bestätigung.',
  'sign_in_experiences.unsupported_default_language': 'Die Seiten gibt es nicht in {language}, nur in {languages}.',
  'sign_in_experiences.username_policy_case_conflicts_exist':
    'Manche Benutzernamen unterscheiden sich nur in Groß- und Kleinschreibung. Ändern Sie zuerst diese.',
  'sign_in_experiences.username_requires_password': 'Eine Registrierung mit Benutzernamen braucht ein Passwort.',
  'user.cannot_delete_self': 'Benutzer können sich hier nicht selbst löschen.',
  'user.email_already_in_use': 'Diese E-Mail-Adresse gehört einem anderen Benutzer.',
  'user.identity_not_exist': 'Kein Benutzer hat dieses soziale Konto.',
  'user.invalid_email': 'Das ist keine gültige E-Mail-Adresse mit höchstens 128 Zeichen.',
  'user.invalid_phone':
    'Eine Telefonnummer besteht aus der Ländervorwahl und so vielen Ziffern, wie Nummern in dem Land haben.',
  'user.invalid_role_type': 'Benutzer können nur Rollen vom Typ User haben.',
  'user.password_algorithm_required': 'passwordDigest braucht passwordAlgorithm.',
  'user.password_and_digest': 'Es kann entweder password oder passwordDigest geben.',
  'user.personal_access_token_name_exists': 'Der Benutzer hat schon ein persönliches Zugriffstoken mit diesem Namen.',
  'user.phone_already_in_use': 'Ein anderer Benutzer hat diese Telefonnummer.',
  'user.username_already_in_use':
    'Ein anderer Benutzer hat diesen Benutzernamen; Groß- und Kleinschreibung zählt nicht.',
  'user.username_invalid_charset_hard':
    'Ein Benutzername besteht aus Buchstaben ohne Umlaute, Ziffern, Unterstrichen, Punkten und Bindestrichen und beginnt mit einem Buchstaben oder Unterstrich.',
  'user.username_starts_with_number': 'Ein Benutzername kann nicht mit einer Ziffer beginnen.',
  'user.username_too_long': 'Ein Benutzername hat höchstens {max} Zeichen.',
  'user_import.not_the_next_batch': 'Diese Zeilen folgen nicht auf die importierten. Die nächste Zeile ist {line}.',
  'administrator.last_owner':
    'Das ist der letzte nicht gesperrte Eigentümer des Mandanten: Ernennen Sie zuerst einen weiteren.',
  'administrator_role.built_in': 'Eine eingebaute Rolle kann nicht geändert oder gelöscht werden.',
  'administrator_role.in_use': 'Administratoren haben diese Rolle: Geben Sie ihnen zuerst eine andere.',
  'administrator_role.name_in_use': 'Es gibt schon eine Administratorrolle mit diesem Namen.',
  'application.invalid_third_party_application_type':
    'Nur Anwendungen der Typen Traditional, SPA und Native können von Dritten sein.',
  'application.invalid_type': 'Das gibt es für Anwendungen dieses Typs nicht.',
  'application.invalid_role_type': 'Eine Anwendung kann nur Rollen vom Typ MachineToMachine haben.',
  'application.secret_name_exists': 'Die Anwendung hat schon ein Geheimnis mit diesem Namen.',
  'application.device_flow_native_only': 'Nur Anwendungen vom Typ Native können den Device Flow nutzen.',
  'application.device_flow_not_changeable': 'Ob eine Anwendung den Device Flow nutzt, wird beim Anlegen entschieden.',
  'application.third_party_application_cannot_enable_token_exchange':
    'Eine Anwendung von Dritten kann den Token-Tausch nicht einschalten.',
  'application.third_party_application_only': 'Das gibt es nur für Anwendungen von Dritten.',
  'application.access_control_empty': 'Die Zugangsregeln würden keinen Benutzer zulassen: {reason}',
  'application.user_consent_scopes_not_found': 'Einen der angegebenen Scopes gibt es nicht.',
  'application.consent_management_api_scopes_not_allowed':
    'Anwendungen von Dritten können keine Berechtigungen der Management-API anfordern.',
  'application.saml.acs_url_binding_not_supported': 'Antworten werden nur über das Binding HTTP-POST gesendet.',
  'application.saml.acs_url_scheme_not_supported':
    'Diese Adresse muss mit https:// beginnen (oder mit http:// und einem Loopback-Host): {url}',
  'application.saml.can_not_delete_active_secret': 'Der aktive Schlüssel kann nicht gelöscht werden.',
  'application.saml.invalid_certificate_pem_format': 'Das ist kein X.509-Zertifikat im PEM-Format: {reason}',
  'application.saml.reach_limit': 'Eine SAML-Anwendung hat höchstens {limit} Schlüssel.',
  'application.saml.saml_application_only': 'Das gibt es nur für SAML-Anwendungen.',
  'application.saml.use_saml_app_api': 'Anwendungen vom Typ SAML werden über ihre eigene API verwaltet.',
  'auth.forbidden': 'Ihnen fehlt die Berechtigung für diesen Vorgang.',
  'auth.step_up_required':
    'Das verlangt eine frische Anmeldung: Melden Sie sich neu an und wiederholen Sie den Vorgang.',
  'auth.unauthorized': 'Die Anmeldung gilt für diese API nicht.',
  'authorization_details.invalid_schema': 'Das Schema ist ungültig: {reason}.',
  'authorization_details.invalid_template':
    'Der Satz für {language} hat eine Klammer, die zu keinem Namen eines Werts gehört.',
  'authorization_details.too_many_types': 'Ein Mandant hat höchstens {limit} Arten von Autorisierungsdetails.',
  'authorization_details.type_exists': 'Es gibt schon eine Art von Autorisierungsdetails mit diesem Namen.',
  'connector.can_not_modify_target': 'Das Ziel eines Konnektors lässt sich nicht ändern.',
  'connector.general': 'Die Nachricht konnte nicht gesendet werden: {reason}',
  'connector.invalid_type_for_syncing_profile': 'Nur soziale Konnektoren haben Profile.',
  'connector.multiple_target_with_same_platform': 'Es gibt schon einen Konnektor mit dem Ziel {target}.',
  'connector.not_found': 'Für Nachrichten dieser Art gibt es keinen Konnektor.',
  'connector.not_found_with_connector_id': 'Es gibt keine Art von Konnektor mit der ID {id}.',
  'connector.should_specify_target': 'Ein Konnektor für einen Standard braucht ein Ziel in seinen Metadaten.',
  'connector.token_storage_not_supported': 'Nur soziale Konnektoren haben Tokens, die aufbewahrt werden könnten.',
  'connector.unexpected_type': 'Das geht mit einem Konnektor dieses Typs nicht.',
  'custom_profile_fields.conflicted_sie_order': 'Zwei Felder hätten denselben Platz.',
  'custom_profile_fields.entity_not_exists_with_names': 'Felder mit diesen Namen gibt es nicht: {names}',
  'custom_profile_fields.invalid_address_components':
    'Ein Feld vom Typ Address hat Teile einer Adresse, jeden einmal, und einer davon ist eingeschaltet.',
  'custom_profile_fields.invalid_default_value': 'Der Vorgabewert einer Checkbox ist true oder false.',
  'custom_profile_fields.invalid_fullname_components':
    'Ein Feld vom Typ Fullname hat Teile eines Namens, jeden einmal, und einer davon ist eingeschaltet.',
  'custom_profile_fields.invalid_min_max_input': 'Das Minimum ist größer als das Maximum.',
  'custom_profile_fields.invalid_name': 'Der Name eines Felds besteht aus Buchstaben und Ziffern.',
  'custom_profile_fields.invalid_options': 'Eine Auswahl hat mindestens eine Option, und jeden Wert einmal.',
  'custom_profile_fields.invalid_regex_format':
    'Ein Feld vom Typ Regex hat einen Ausdruck in RE2-Syntax, ohne Look-around und Rückverweise.',
  'custom_profile_fields.invalid_sub_component_type': 'Teile sind vom Typ Text, Select oder Regex.',
  'custom_profile_fields.name_conflict_built_in_prop':
    'Benutzer haben {name} schon, und ein solches Feld passt nicht dazu.',
  'custom_profile_fields.name_conflict_sign_in_identifier': '{name} dient zur Anmeldung und ist kein Feld des Profils.',
  'custom_profile_fields.name_exists': 'Es gibt schon ein Feld mit diesem Namen.',
  'custom_profile_fields.name_required': 'Ein Feld braucht einen Namen.',
  'entity.not_exists_with_id': 'Mit der ID {id} gibt es hier nichts, oder nicht mehr.',
  'entity.not_found': 'Unter dieser Adresse gibt es nichts.',
  'entity.relation_foreign_key_not_found': 'Eine der angegebenen IDs gibt es nicht.',
  'entity.unique_integrity_violation': 'Es gibt schon etwas mit diesem Namen oder dieser ID.',
  'entity.db_constraint_violated': 'Die Änderung verletzt eine Bedingung der Daten.',
  'guard.file_size_exceeded': 'Die Datei ist größer als {limit} Bytes.',
  'guard.invalid_input': 'Das ist so nicht gültig: {reason}',
  'guard.invalid_pagination': 'Die Angaben zur Seite der Liste sind nicht gültig: {reason}',
  'guard.mime_type_not_allowed': 'Die Datei muss von einem dieser Typen sein: {allowed}.',
  'declaration.invalid': 'Die Datei wird abgelehnt: {reason}',
  'declaration.not_writable': 'Der Mandant lässt sich nicht als Datei schreiben: {reason}',
  'impersonation.refused': 'Im Namen dieses Benutzers kann so nicht gehandelt werden: {reason}.',
  'jwt_customizer.general': 'Das Skript ist gescheitert: {reason}',
  'hook.disabled': 'Der Webhook ist ausgeschaltet; schalten Sie ihn zuerst ein.',
  'hook.endpoint_responded_with_error': 'Der Empfänger hat mit {responseStatus} geantwortet.',
  'hook.invalid_url': 'Die URL eines Webhooks muss http oder https sein, ohne Benutzerangaben und Fragment.',
  'hook.insecure_url':
    'Die URL eines Webhooks muss https sein; http ist nur für den Rechner des Servers und für Hosts in OUTBOUND_ALLOW erlaubt.',
  'hook.missing_events': 'Ein Webhook braucht mindestens ein Ereignis.',
  'hook.reserved_header': 'Den Header {name} setzt der Server selbst.',
  'hook.send_test_payload_failed': 'Es kam keine Antwort: {reason}.',
  'hook.too_many_events': 'Das sind mehr als {limit} Ereignisse; wählen Sie einen kürzeren Zeitraum.',
  'localization.cannot_delete_default_language':
    'Diese Texte sind alles, was die Seiten in der Standardsprache haben. Wählen Sie zuerst eine andere Standardsprache.',
  'localization.invalid_translation_structure': 'Der Text „{key}“ kann nicht gespeichert werden: {reason}.',
  'log.invalid_time_window': 'Der Beginn muss vor dem Ende liegen.',
  'oidc.key_not_found': 'Einen Signaturschlüssel mit dieser ID gibt es nicht.',
  'oidc.session_not_found': 'Eine Sitzung mit dieser ID gibt es nicht.',
  'oidc.invalid_session_account_id': 'Die Sitzung gehört einem anderen Benutzer.',
  'oidc.only_previous_key_can_be_deleted': 'Nur ein Schlüssel im Zustand Previous kann gelöscht werden.',
  'organization.invitation_not_pending': 'Die Einladung ist im Zustand {status} und kann nicht mehr geändert werden.',
  'organization.invitation_wrong_user':
    'acceptedUserId muss der Benutzer sein, der die eingeladene E-Mail-Adresse hat.',
  'organization.invitee_is_member': 'Der Benutzer mit dieser E-Mail-Adresse ist schon Mitglied.',
  'organization.require_membership': 'Der Benutzer oder die Anwendung ist nicht Mitglied der Organisation.',
  'organization.role_names_not_found': 'Eine Organisationsrolle mit diesem Namen gibt es nicht.',
  'request.body_too_large': 'Die Anfrage ist größer als {limit} Bytes.',
  'request.feature_not_supported': 'Das unterstützt der Server noch nicht: {feature}',
  'request.invalid_input': 'Die Anfrage ist nicht gültig: {reason}',
  'request.not_found': 'Unter dieser Adresse gibt es nichts.',
  'request.message_rate_limited':
    'An diesen Empfänger gingen zu viele Nachrichten. Versuchen Sie es später noch einmal.',
  'request.precondition_failed': 'Das wurde inzwischen geändert: Laden Sie es neu.',
  'request.rate_limited': 'Von dieser Adresse kamen zu viele Versuche. Versuchen Sie es später noch einmal.',
  'request.too_slow': 'Die Anfrage kam nicht innerhalb von {seconds} Sekunden an.',
  'request.unavailable': 'Der Server kann gerade nicht antworten: {reason}',
  'resource.cannot_delete_management_api': 'Die Management-API kann nicht gelöscht werden.',
  'resource.cannot_modify_management_api': 'Die Management-API und ihre Berechtigungen können nicht geändert werden.',
  'resource.invalid_indicator':
    'Der Indikator muss eine vollständige URI ohne Fragment sein und keine, die für Organisationen reserviert ist.',
  'resource.resource_identifier_in_use': 'Es gibt schon eine API mit diesem Indikator.',
  'role.application_exists': 'Eine Anwendung hat diese Rolle schon.',
  'role.management_api_scopes_not_assignable_to_user_role':
    'Berechtigungen der Management-API können nur Rollen vom Typ MachineToMachine enthalten.',
  'role.user_exists': 'Ein Benutzer hat diese Rolle schon.',
  'role.name_in_use': 'Es gibt schon eine Rolle mit diesem Namen.',
  'role.scope_exists': 'Die Rolle enthält diese Berechtigung schon.',
  'role.default_role_missing': 'Keine Rolle vom Typ MachineToMachine enthält die verlangte Berechtigung.',
  'role.default_role_type': 'Nur Rollen vom Typ User können Standardrollen sein.',
  'scope.name_exists': 'Die API hat schon eine Berechtigung mit diesem Namen.',
  'scope.name_with_space':
    'Der Name einer Berechtigung besteht aus druckbaren ASCII-Zeichen außer Leerzeichen, Anführungszeichen und Backslash.',
  'server.error': 'Auf dem Server ist etwas schiefgegangen. Suchen Sie die Anfrage-ID im Log.',
  'single_sign_on.can_not_delete_active_signing_key':
    'Der Schlüssel ist aktiv. Aktivieren Sie zuerst einen anderen, oder deaktivieren Sie diesen.',
  'single_sign_on.connector_of_organization': 'Diese Konnektoren gehören einer anderen Organisation: {ids}',
  'single_sign_on.domain_in_use': 'Andere melden sich mit Adressen dieser Domain an.',
  'single_sign_on.domain_not_verified': 'Die Organisation muss nachweisen, dass diese Domains ihr gehören: {domains}',
  'single_sign_on.domain_record_not_found':
    'Der TXT-Eintrag {name} mit dem Wert {value} wurde nicht gefunden: {reason}',
  'single_sign_on.duplicate_connector_name': 'Es gibt schon einen SSO-Konnektor mit diesem Namen.',
  'single_sign_on.duplicated_domains': 'Eine Domain ist doppelt angegeben: {domains}',
  'single_sign_on.forbidden_domains': 'Dort kann jeder eine Adresse haben: {domains}',
  'single_sign_on.invalid_domain_format': 'Das sind keine Domainnamen: {domains}',
  'single_sign_on.reach_limit': 'Eine Organisation kann davon {limit} haben.',
  'single_sign_on.sso_signing_unavailable': 'Nur SAML-Konnektoren haben Signaturschlüssel.',
  'subject_token.user_suspended': 'Der Benutzer ist gesperrt.',
}
