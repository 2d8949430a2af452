/** The texts of messages in French. */

import { backchannelMail, backchannelSms } from '../backchannel/fr.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/fr.ts'

const code = (purpose: string) => `{{code}} est votre code pour ${purpose} sur {{host}}. Ne le partagez pas.`
const CHANGE_PASSWORD =
  'Si vous n’êtes pas à l’origine de cette demande, quelqu’un d’autre est peut-être connecté à votre compte. Changez de mot de passe et ne partagez pas ce code.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Votre code de connexion',
      lead: 'Utilisez ce code pour vous connecter à {{host}}.',
      unasked:
        'Si vous n’avez pas essayé de vous connecter, vous pouvez ignorer cet e-mail. Personne ne peut se connecter sans le code.',
    },
    Register: {
      subject: 'Votre code d’inscription',
      lead: 'Utilisez ce code pour créer votre compte sur {{host}}.',
      unasked:
        'Si vous ne vouliez pas créer de compte, vous pouvez ignorer cet e-mail. Aucun compte n’est créé sans le code.',
    },
    ForgotPassword: {
      subject: 'Votre code pour changer de mot de passe',
      lead: 'Utilisez ce code pour définir un nouveau mot de passe sur {{host}}.',
      unasked:
        'Si vous n’avez pas demandé de nouveau mot de passe, vous pouvez ignorer cet e-mail. Votre mot de passe reste inchangé.',
    },
    BindNewIdentifier: {
      subject: 'Votre code pour ajouter cette adresse',
      lead: 'Utilisez ce code pour ajouter cette adresse à votre compte sur {{host}}.',
      unasked:
        'Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail. L’adresse n’est pas ajoutée sans le code.',
    },
    MfaVerification: {
      subject: 'Votre code de validation en deux étapes',
      lead: 'Utilisez ce code pour confirmer que c’est bien vous qui vous connectez à {{host}}.',
      unasked:
        'Si vous n’avez pas essayé de vous connecter, quelqu’un d’autre connaît peut-être votre mot de passe. Changez-le et ne partagez pas ce code.',
    },
    BindMfa: {
      subject: 'Votre code pour activer la validation en deux étapes',
      lead: 'Utilisez ce code pour activer la validation en deux étapes de votre compte sur {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Votre code pour confirmer une modification',
      lead: 'Utilisez ce code pour confirmer une modification de votre compte sur {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Votre lien de connexion',
      lead: 'Utilisez ce lien pour vous connecter à {{host}}.',
      action: 'Se connecter',
      unasked:
        'Si vous n’avez pas essayé de vous connecter, vous pouvez ignorer cet e-mail. Ne le transférez pas : toute personne qui a le lien peut se connecter à votre place.',
    },
    OrganizationInvitation: {
      subject: 'Vous avez une invitation',
      lead: 'Vous êtes invité à rejoindre {{organizationName}} sur {{host}}.',
      action: 'Voir l’invitation',
      unasked:
        'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail. Vous ne devenez membre que si vous l’acceptez.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Votre code de vérification',
      lead: 'Utilisez ce code sur {{host}}.',
      unasked: 'Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
    },
  },
  changes,
  codeLife: 'Il est valable {{duration}}.',
  codeNote: 'Ne le partagez pas. Nous ne vous le demanderons jamais.',
  linkLife: 'Le lien est valable {{duration}}.',
  linkFallback: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  open: 'Continuer',
  sms: {
    SignIn: code('vous connecter'),
    Register: code('créer votre compte'),
    ForgotPassword: code('changer de mot de passe'),
    BindNewIdentifier: code('ajouter ce numéro'),
    MfaVerification: code('confirmer votre connexion'),
    BindMfa: code('activer la validation en deux étapes'),
    UserPermissionValidation: code('confirmer une modification'),
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Votre lien de connexion à {{host}} : {{link}}',
    AccountDeletion: 'Votre compte sur {{host}} sera supprimé le {{date}}. Pour le conserver : {{link}}',
    OrganizationInvitation: 'Invitation à rejoindre {{organizationName}} sur {{host}} : {{link}}',
    Generic: '{{code}} est votre code de vérification sur {{host}}. Ne le partagez pas.',
  },
}
