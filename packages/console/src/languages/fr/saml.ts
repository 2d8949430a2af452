/** The phrases of `en/saml.ts` in French. */
import type { saml as english } from '../en/saml.ts'

export const saml: Readonly<Record<keyof typeof english, string>> = {
  'kind.samlText':
    'Un produit où les utilisateurs se connectent par SAML 2.0, avec ce serveur comme fournisseur d’identité',
  'saml.tab.start': 'Relier',
  'saml.tab.settings': 'Paramètres',
  'saml.tab.attributes': 'Attributs',
  'saml.tab.security': 'Sécurité',
  'saml.tab.certificates': 'Certificats',
  'saml.tab.access': 'Accès',
  'saml.deleteText':
    'Les utilisateurs ne peuvent plus s’y connecter, et ses clés sont supprimées. Cette action est irréversible.',

  'saml.metadata': 'Métadonnées',
  'saml.metadataText':
    'Donnez cette adresse au produit : elle contient tout ce qui suit, même après un changement de certificat.',
  'saml.metadataUrl': 'URL des métadonnées',
  'saml.values': 'Une par une',
  'saml.valuesText': 'Pour les produits qui ne lisent pas de métadonnées.',
  'saml.idpEntityId': 'Entity ID de ce serveur',
  'saml.signOn': 'URL de connexion',
  'saml.logout': 'URL de déconnexion unique',
  'saml.startLink': 'Lien qui démarre une connexion ici',
  'saml.certificate': 'Certificat',
  'saml.certificateText': 'Vérifie ce que signe ce serveur.',
  'saml.noActive': 'Aucune clé n’est active : aucun utilisateur ne peut se connecter. Activez-en une sous Certificats.',
  'saml.pem': 'Certificat en PEM',

  'saml.provider': 'Fournisseur de services',
  'saml.providerText': 'Ce que le produit dit de lui-même.',
  'saml.entityId': 'Entity ID',
  'saml.entityIdHint': 'Aussi appelé audience ou SP issuer.',
  'saml.acs': 'URL ACS',
  'saml.acsHint': 'Aussi appelée reply URL ou SSO callback : les utilisateurs y reviennent après la connexion.',
  'saml.otherAcs': 'Autres URL ACS',
  'saml.otherAcsHint': 'Les requêtes peuvent aussi nommer celles-ci. Toute autre adresse est refusée.',
  'saml.nameId': 'Name ID',
  'saml.nameId.persistent': 'Persistent',
  'saml.nameId.persistent.hint':
    'Un nom de l’utilisateur qui ne change jamais et qui diffère d’une application à l’autre.',
  'saml.nameId.emailAddress': 'Adresse e-mail',
  'saml.nameId.emailAddress.hint': 'L’adresse e-mail vérifiée de l’utilisateur.',
  'saml.nameId.transient': 'Transient',
  'saml.nameId.transient.hint': 'Un autre nom à chaque session.',
  'saml.nameId.unspecified': 'Unspecified',
  'saml.nameId.unspecified.hint': 'L’identifiant de l’utilisateur.',
  'saml.idpInitiated': 'La connexion peut démarrer ici',
  'saml.idpInitiatedText':
    'Sans requête du produit. À n’activer que si le produit en a besoin : une réponse sans requête peut être rejouée.',

  'saml.attributes': 'Attributs',
  'saml.attributesText': 'Ce que le produit apprend des utilisateurs, et sous quel nom. Rien d’autre n’est envoyé.',
  'saml.noAttributes': 'Aucun : le produit ne reçoit que le name ID.',
  'saml.attributeOf': 'Attribut pour {claim}',
  'saml.addAttribute': 'Ajouter un attribut…',
  'saml.removeAttribute': 'Retirer {claim}',

  'saml.signatures': 'Signatures',
  'saml.signResponse': 'Signer les réponses',
  'saml.signResponseText': 'L’assertion qu’elles contiennent est signée dans tous les cas.',
  'saml.requireSigned': 'Exiger des requêtes signées',
  'saml.requireSignedText': 'Les requêtes sans signature valable du produit sont refusées.',
  'saml.requestCertificates': 'Certificats du produit',
  'saml.requestCertificatesHint':
    'En PEM, jusqu’à quatre, à la suite. Ils vérifient ses requêtes ; la déconnexion unique en exige un.',
  'saml.encryption': 'Chiffrement',
  'saml.encrypt': 'Chiffrer les assertions',
  'saml.encryptText': 'Seul le produit peut les lire.',
  'saml.encryptionCertificate': 'Certificat de chiffrement',
  'saml.encryptThenSign': 'Signer après le chiffrement',
  'saml.encryptThenSignText': 'Signe la réponse avec l’assertion chiffrée qu’elle contient.',
  'saml.singleLogout': 'Déconnexion unique',
  'saml.singleLogoutText': 'Une déconnexion ici met fin à la session dans le produit, et inversement.',
  'saml.logoutUrl': 'URL de déconnexion unique du produit',
  'saml.logoutUrlHint': 'Vide : pas de déconnexion unique.',
  'saml.binding': 'Binding',
  'saml.backChannelUrl': 'URL SOAP',
  'saml.backChannelUrlHint':
    'Facultative. Les requêtes y vont sans le navigateur, même quand un administrateur met fin à une session.',

  'samlKeys.title': 'Certificats',
  'samlKeys.text':
    'Pour remplacer une clé, créez la suivante, laissez le produit lire les métadonnées ou saisissez-y son certificat, puis activez-la.',
  'samlKeys.until': 'Valable jusqu’au {when}',
  'samlKeys.active': 'Active',
  'samlKeys.add': 'Créer une clé',
  'samlKeys.addText': 'Son certificat est aussitôt dans les métadonnées. Elle signe quand vous l’activez.',
  'samlKeys.added': 'La clé a été créée',
  'samlKeys.years': 'Années : {years}',
  'samlKeys.activate': 'Activer la clé',
  'samlKeys.activateText':
    'Elle signe désormais. Les produits qui ne connaissent pas son certificat refusent les connexions jusqu’à ce qu’ils l’aient.',
  'samlKeys.delete': 'Supprimer la clé',
  'samlKeys.deleteText': 'Son certificat quitte les métadonnées. Cette action est irréversible.',
}
