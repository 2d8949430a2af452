/** What errors of the Management API say in French. */
import type { ErrorPhrases } from '../errors.ts'

export const errors: ErrorPhrases = {
  'password.invalid_legacy_password_format':
    'Un mot de passe Legacy est ["algorithme", ["argument", "@"], "hachage"] en texte JSON, avec des arguments valides pour son algorithme et un coût acceptable.',
  'password.unsupported_encryption_method': 'Les mots de passe hachés avec {name} ne peuvent pas être importés.',
  'password.unsupported_legacy_hash_algorithm': 'Les mots de passe Legacy ne peuvent pas être hachés avec {algorithm}.',
  'sign_in_experiences.adaptive_mfa_requires_mfa': 'La MFA adaptative a besoin de seconds facteurs à demander.',
  'sign_in_experiences.adaptive_mfa_requires_non_skippable_policy':
    'La MFA adaptative exige la règle PromptOnlyAtSignInMandatory ou PromptAtSignInAndSignUpMandatory.',
  'sign_in_experiences.backup_code_cannot_be_enabled_alone':
    'Les codes de secours exigent un autre facteur à côté d’eux.',
  'sign_in_experiences.duplicated_mfa_factors': 'Un facteur est indiqué deux fois.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa':
    'Les codes par e-mail servent ici à se connecter : ils ne peuvent pas être aussi un second facteur.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa':
    'Les codes par SMS servent ici à se connecter : ils ne peuvent pas être aussi un second facteur.',
  'sign_in_experiences.at_least_one_authentication_factor':
    'Chaque méthode de connexion exige un mot de passe ou un code de vérification.',
  'sign_in_experiences.duplicated_sign_up_identifiers': 'Un identifiant est indiqué deux fois.',
  'sign_in_experiences.code_sign_in_must_be_enabled':
    'Qui s’inscrit avec {identifier} sans mot de passe a besoin de codes pour se connecter.',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in':
    'Les codes par e-mail sont ici un second facteur : ils ne peuvent pas servir aussi à se connecter.',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in':
    'Les codes par SMS sont ici un second facteur : ils ne peuvent pas servir aussi à se connecter.',
  'sign_in_experiences.enabled_connector_not_found': 'Cela exige un connecteur de type {type}.',
  'sign_in_experiences.forgot_password_method_requires_connector': '{method} exige un connecteur qui envoie ces codes.',
  'sign_in_experiences.invalid_custom_email_blocklist_format':
    'Une entrée est une adresse e-mail ou un domaine comme @example.com.',
  'sign_in_experiences.miss_sign_up_identifier_in_sign_in':
    'Qui s’inscrit avec {identifier} ne pourrait pas se connecter.',
  'sign_in_experiences.missing_sign_up_identifiers': 'L’inscription exige au moins un identifiant.',
  'sign_in_experiences.password_expiration_invalid_period_days':
    'validPeriodDays indique combien de jours un mot de passe est valable.',
  'sign_in_experiences.password_expiration_not_enabled': 'Les mots de passe n’expirent pas ici.',
  'sign_in_experiences.password_expiration_requires_forgot_password':
    'Les mots de passe ne peuvent expirer que si ceux qui sont oubliés peuvent être réinitialisés par e-mail.',
  'sign_in_experiences.password_sign_in_must_be_enabled':
    'Les utilisateurs s’inscrivent avec un mot de passe et ne pourraient pas l’utiliser pour se connecter avec {identifier}.',
  'sign_in_experiences.passwordless_requires_verify': 'L’inscription sans mot de passe exige une vérification.',
  'sign_in_experiences.unsupported_default_language':
    'Les pages n’existent pas en {language}, seulement en {languages}.',
  'sign_in_experiences.username_policy_case_conflicts_exist':
    'Certains noms d’utilisateur ne diffèrent que par la casse. Modifiez-les d’abord.',
  'sign_in_experiences.username_requires_password': 'L’inscription avec un nom d’utilisateur exige un mot de passe.',
  'user.cannot_delete_self': 'Les utilisateurs ne peuvent pas se supprimer eux-mêmes ici.',
  'user.email_already_in_use': 'Cette adresse e-mail appartient à un autre utilisateur.',
  'user.identity_not_exist': 'Aucun utilisateur n’a ce compte social.',
  'user.invalid_email': 'Ce n’est pas une adresse e-mail valide d’au plus 128 caractères.',
  'user.invalid_phone':
    'Un numéro de téléphone comprend l’indicatif du pays et autant de chiffres que les numéros de ce pays.',
  'user.invalid_role_type': 'Un utilisateur ne peut avoir que des rôles de type User.',
  'user.password_algorithm_required': 'passwordDigest exige passwordAlgorithm.',
  'user.password_and_digest': 'Il peut y avoir soit password, soit passwordDigest.',
  'user.personal_access_token_name_exists': 'L’utilisateur a déjà un jeton d’accès personnel de ce nom.',
  'user.phone_already_in_use': 'Un autre utilisateur a ce numéro de téléphone.',
  'user.username_already_in_use':
    'Un autre utilisateur a ce nom d’utilisateur ; majuscules et minuscules ne comptent pas.',
  'user.username_invalid_charset_hard':
    'Un nom d’utilisateur se compose de lettres ASCII, de chiffres, de tirets bas, de points et de traits d’union, et commence par une lettre ou un tiret bas.',
  'user.username_starts_with_number': 'Un nom d’utilisateur ne peut pas commencer par un chiffre.',
  'user.username_too_long': 'Un nom d’utilisateur a au plus {max} caractères.',
  'user_import.not_the_next_batch':
    'Ces lignes ne suivent pas celles qui ont été importées. La ligne suivante est {line}.',
  'administrator.last_owner':
    'C’est le dernier propriétaire du tenant qui n’est pas suspendu : nommez-en d’abord un autre.',
  'administrator_role.built_in': 'Un rôle prédéfini ne peut être ni modifié ni supprimé.',
  'administrator_role.in_use': 'Des administrateurs ont ce rôle : donnez-leur d’abord un autre rôle.',
  'administrator_role.name_in_use': 'Un rôle d’administrateur de ce nom existe déjà.',
  'application.invalid_third_party_application_type':
    'Seules les applications de type Traditional, SPA et Native peuvent être tierces.',
  'application.invalid_type': 'Cela n’existe pas pour les applications de ce type.',
  'application.invalid_role_type': 'Une application ne peut avoir que des rôles de type MachineToMachine.',
  'application.secret_name_exists': 'L’application a déjà un secret de ce nom.',
  'application.device_flow_native_only': 'Seules les applications de type Native peuvent utiliser le device flow.',
  'application.device_flow_not_changeable': 'L’utilisation du device flow se décide à la création de l’application.',
  'application.third_party_application_cannot_enable_token_exchange':
    'Une application tierce ne peut pas activer l’échange de jetons.',
  'application.third_party_application_only': 'Cela n’existe que pour les applications tierces.',
  'application.access_control_empty': 'Les règles d’accès n’admettraient aucun utilisateur : {reason}',
  'application.user_consent_scopes_not_found': 'L’un des scopes indiqués n’existe pas.',
  'application.consent_management_api_scopes_not_allowed':
    'Les applications tierces ne peuvent pas demander d’autorisations de la Management API.',
  'application.saml.acs_url_binding_not_supported': 'Les réponses ne sont envoyées que par le binding HTTP-POST.',
  'application.saml.acs_url_scheme_not_supported':
    'Cette adresse doit commencer par https:// (ou par http:// et un hôte de bouclage) : {url}',
  'application.saml.can_not_delete_active_secret': 'La clé active ne peut pas être supprimée.',
  'application.saml.invalid_certificate_pem_format': 'Ce n’est pas un certificat X.509 en PEM : {reason}',
  'application.saml.reach_limit': 'Une application SAML a au plus {limit} clés.',
  'application.saml.saml_application_only': 'Cela n’existe que pour les applications SAML.',
  'application.saml.use_saml_app_api': 'Les applications de type SAML se gèrent par leur propre API.',
  'auth.forbidden': 'Il vous manque l’autorisation nécessaire à cette opération.',
  'auth.step_up_required': 'Cela exige une connexion récente : reconnectez-vous et recommencez.',
  'auth.unauthorized': 'Le jeton d’accès n’est pas valable pour cette API.',
  'authorization_details.invalid_schema': 'Le schéma n’est pas valable : {reason}.',
  'authorization_details.invalid_template':
    'La phrase pour {language} a une accolade qui n’appartient au nom d’aucun membre.',
  'authorization_details.too_many_types': 'Un tenant a au plus {limit} types de détails d’autorisation.',
  'authorization_details.type_exists': 'Un type de détails d’autorisation de ce nom existe déjà.',
  'connector.can_not_modify_target': 'La cible d’un connecteur ne peut pas être modifiée.',
  'connector.general': 'Le message n’a pas pu être envoyé : {reason}',
  'connector.invalid_type_for_syncing_profile': 'Seuls les connecteurs sociaux ont des profils.',
  'connector.multiple_target_with_same_platform': 'Il y a déjà un connecteur avec la cible {target}.',
  'connector.not_found': 'Il n’y a pas de connecteur pour les messages de ce genre.',
  'connector.not_found_with_connector_id': 'Il n’y a pas de modèle de connecteur avec l’identifiant {id}.',
  'connector.should_specify_target': 'Un connecteur pour un standard exige une cible dans ses métadonnées.',
  'connector.token_storage_not_supported': 'Seuls les connecteurs sociaux ont des jetons à conserver.',
  'connector.unexpected_type': 'Ce n’est pas possible avec un connecteur de ce type.',
  'custom_profile_fields.conflicted_sie_order': 'Deux champs auraient la même place.',
  'custom_profile_fields.entity_not_exists_with_names': 'Il n’y a pas de champs de ces noms : {names}',
  'custom_profile_fields.invalid_address_components':
    'Un champ Address a des parties d’une adresse, chacune une fois, dont une activée.',
  'custom_profile_fields.invalid_default_value': 'La valeur par défaut d’une Checkbox est true ou false.',
  'custom_profile_fields.invalid_fullname_components':
    'Un champ Fullname a des parties d’un nom, chacune une fois, dont une activée.',
  'custom_profile_fields.invalid_min_max_input': 'Le minimum est plus grand que le maximum.',
  'custom_profile_fields.invalid_name': 'Le nom d’un champ se compose de lettres et de chiffres.',
  'custom_profile_fields.invalid_options': 'Un champ Select a au moins une option, et chaque valeur une fois.',
  'custom_profile_fields.invalid_regex_format':
    'Un champ Regex a une expression en syntaxe RE2, sans look-around ni références arrière.',
  'custom_profile_fields.invalid_sub_component_type': 'Les parties sont de type Text, Select ou Regex.',
  'custom_profile_fields.name_conflict_built_in_prop':
    'Les utilisateurs ont déjà {name}, qui n’accepte pas un tel champ.',
  'custom_profile_fields.name_conflict_sign_in_identifier':
    '{name} sert à se connecter et n’est pas un champ du profil.',
  'custom_profile_fields.name_exists': 'Un champ de ce nom existe déjà.',
  'custom_profile_fields.name_required': 'Un champ a besoin d’un nom.',
  'entity.not_exists_with_id': 'Il n’y a rien, ou plus rien, avec l’identifiant {id}.',
  'entity.not_found': 'Il n’y a rien à cette adresse.',
  'entity.relation_foreign_key_not_found': 'L’un des identifiants indiqués n’existe pas.',
  'entity.unique_integrity_violation': 'Il existe déjà quelque chose du même nom ou du même identifiant.',
  'entity.db_constraint_violated': 'La modification enfreint une contrainte des données.',
  'guard.file_size_exceeded': 'Le fichier dépasse {limit} octets.',
  'guard.invalid_input': 'Ce n’est pas valable ainsi : {reason}',
  'guard.invalid_pagination': 'Les indications de page ne sont pas valables : {reason}',
  'guard.mime_type_not_allowed': 'Le type du fichier doit être l’un de ceux-ci : {allowed}.',
  'declaration.invalid': 'Le fichier est refusé : {reason}',
  'declaration.not_writable': 'Le tenant ne peut pas être écrit dans un fichier : {reason}',
  'impersonation.refused': 'On ne peut pas agir ainsi au nom de cet utilisateur : {reason}.',
  'jwt_customizer.general': 'Le script a échoué : {reason}',
  'hook.disabled': 'Le webhook est désactivé ; activez-le d’abord.',
  'hook.endpoint_responded_with_error': 'Le destinataire a répondu {responseStatus}.',
  'hook.invalid_url': 'L’URL d’un webhook doit être http ou https, sans identifiants ni fragment.',
  'hook.insecure_url':
    'L’URL d’un webhook doit être https ; http n’est permis que pour la machine du serveur et pour les hôtes d’OUTBOUND_ALLOW.',
  'hook.missing_events': 'Un webhook a besoin d’au moins un événement.',
  'hook.reserved_header': 'Le serveur fixe lui-même l’en-tête {name}.',
  'hook.send_test_payload_failed': 'Il n’y a pas eu de réponse : {reason}.',
  'hook.too_many_events': 'Cela fait plus de {limit} événements ; choisissez une période plus courte.',
  'localization.cannot_delete_default_language':
    'Ces textes sont tout ce que les pages ont dans la langue par défaut. Choisissez d’abord une autre langue par défaut.',
  'localization.invalid_translation_structure': 'Le texte « {key} » ne peut pas être enregistré : {reason}.',
  'log.invalid_time_window': 'Le début doit précéder la fin.',
  'oidc.key_not_found': 'Il n’y a pas de clé de signature avec cet identifiant.',
  'oidc.session_not_found': 'Il n’y a pas de session avec cet identifiant.',
  'oidc.invalid_session_account_id': 'La session appartient à un autre utilisateur.',
  'oidc.only_previous_key_can_be_deleted': 'Seule une clé dans l’état Previous peut être supprimée.',
  'organization.invitation_not_pending': 'L’invitation est dans l’état {status} et ne peut plus être modifiée.',
  'organization.invitation_wrong_user': 'acceptedUserId doit être l’utilisateur qui a l’adresse e-mail invitée.',
  'organization.invitee_is_member': 'L’utilisateur de cette adresse e-mail est déjà membre.',
  'organization.require_membership': 'L’utilisateur ou l’application n’est pas membre de l’organisation.',
  'organization.role_names_not_found': 'Il n’y a pas de rôle d’organisation de ce nom.',
  'request.body_too_large': 'La requête dépasse {limit} octets.',
  'request.feature_not_supported': 'Le serveur ne prend pas encore cela en charge : {feature}',
  'request.invalid_input': 'La requête n’est pas valable : {reason}',
  'request.not_found': 'Il n’y a rien à cette adresse.',
  'request.message_rate_limited': 'Trop de messages ont été envoyés à ce destinataire. Réessayez plus tard.',
  'request.precondition_failed': 'Cela a été modifié entre-temps : rechargez-le.',
  'request.rate_limited': 'Il y a eu trop de tentatives depuis cette adresse. Réessayez plus tard.',
  'request.too_slow': 'La requête n’est pas arrivée en {seconds} secondes.',
  'request.unavailable': 'Le serveur ne peut pas répondre pour le moment : {reason}',
  'resource.cannot_delete_management_api': 'La Management API ne peut pas être supprimée.',
  'resource.cannot_modify_management_api': 'La Management API et ses autorisations ne peuvent pas être modifiées.',
  'resource.invalid_indicator':
    'L’indicateur doit être un URI absolu sans fragment, et non un URI réservé aux organisations.',
  'resource.resource_identifier_in_use': 'Une API avec cet indicateur existe déjà.',
  'role.application_exists': 'Une application a déjà ce rôle.',
  'role.management_api_scopes_not_assignable_to_user_role':
    'Seuls les rôles de type MachineToMachine peuvent contenir des autorisations de la Management API.',
  'role.user_exists': 'Un utilisateur a déjà ce rôle.',
  'role.name_in_use': 'Un rôle de ce nom existe déjà.',
  'role.scope_exists': 'Le rôle contient déjà cette autorisation.',
  'role.default_role_missing': 'Aucun rôle de type MachineToMachine ne contient l’autorisation demandée.',
  'role.default_role_type': 'Seuls les rôles de type User peuvent être des rôles par défaut.',
  'scope.name_exists': 'L’API a déjà une autorisation de ce nom.',
  'scope.name_with_space':
    'Le nom d’une autorisation se compose de caractères ASCII imprimables, sans espace, guillemet droit ni barre oblique inverse.',
  'server.error': 'Quelque chose s’est mal passé sur le serveur. Cherchez l’identifiant de la requête dans le journal.',
  'single_sign_on.can_not_delete_active_signing_key':
    'La clé est active. Activez-en d’abord une autre, ou désactivez celle-ci.',
  'single_sign_on.connector_of_organization': 'Ces connecteurs appartiennent à une autre organisation : {ids}',
  'single_sign_on.domain_in_use': 'D’autres se connectent avec des adresses de ce domaine.',
  'single_sign_on.domain_not_verified': 'L’organisation doit prouver que ces domaines sont les siens : {domains}',
  'single_sign_on.domain_record_not_found':
    'L’enregistrement TXT {name} de valeur {value} n’a pas été trouvé : {reason}',
  'single_sign_on.duplicate_connector_name': 'Un connecteur SSO de ce nom existe déjà.',
  'single_sign_on.duplicated_domains': 'Un domaine est indiqué deux fois : {domains}',
  'single_sign_on.forbidden_domains': 'Tout le monde peut y avoir une adresse : {domains}',
  'single_sign_on.invalid_domain_format': 'Ce ne sont pas des noms de domaine : {domains}',
  'single_sign_on.reach_limit': 'Une organisation peut en avoir {limit}.',
  'single_sign_on.sso_signing_unavailable': 'Seuls les connecteurs SAML ont des clés de signature.',
  'subject_token.user_suspended': 'L’utilisateur est suspendu.',
}
