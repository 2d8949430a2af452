/** The texts of messages in Portuguese, as written in Brazil. */

import { backchannelMail, backchannelSms } from '../backchannel/pt.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/pt.ts'

const CHANGE_PASSWORD =
  'Se você não solicitou isto, outra pessoa pode ter entrado na sua conta. Defina uma nova senha e não compartilhe este código.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Seu código de acesso',
      lead: 'Use este código para entrar em {{host}}.',
      unasked: 'Se você não tentou entrar, ignore este e-mail. Ninguém consegue entrar sem o código.',
    },
    Register: {
      subject: 'Seu código de cadastro',
      lead: 'Use este código para criar sua conta em {{host}}.',
      unasked: 'Se você não queria criar uma conta, ignore este e-mail. Nenhuma conta é criada sem o código.',
    },
    ForgotPassword: {
      subject: 'Seu código para definir uma nova senha',
      lead: 'Use este código para definir uma nova senha em {{host}}.',
      unasked: 'Se você não pediu uma nova senha, ignore este e-mail. Sua senha continua a mesma.',
    },
    BindNewIdentifier: {
      subject: 'Seu código para adicionar este endereço',
      lead: 'Use este código para adicionar este endereço à sua conta em {{host}}.',
      unasked: 'Se você não solicitou isto, ignore este e-mail. O endereço não é adicionado sem o código.',
    },
    MfaVerification: {
      subject: 'Seu código da verificação em duas etapas',
      lead: 'Use este código para confirmar que é você quem está entrando em {{host}}.',
      unasked:
        'Se você não tentou entrar, outra pessoa pode saber a sua senha. Defina uma nova e não compartilhe este código.',
    },
    BindMfa: {
      subject: 'Seu código para configurar a verificação em duas etapas',
      lead: 'Use este código para configurar a verificação em duas etapas da sua conta em {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Seu código para confirmar uma alteração',
      lead: 'Use este código para confirmar uma alteração na sua conta em {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Seu link de acesso',
      lead: 'Use este link para entrar em {{host}}.',
      action: 'Entrar',
      unasked:
        'Se você não tentou entrar, ignore este e-mail. Não o encaminhe: quem tiver o link pode entrar na sua conta.',
    },
    OrganizationInvitation: {
      subject: 'Você recebeu um convite',
      lead: 'Você recebeu um convite para participar de {{organizationName}} em {{host}}.',
      action: 'Ver o convite',
      unasked: 'Se você não esperava este convite, ignore este e-mail. Você só se torna membro se aceitar.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Seu código de verificação',
      lead: 'Use este código em {{host}}.',
      unasked: 'Se você não esperava este e-mail, ignore-o.',
    },
  },
  changes,
  codeLife: 'Ele é válido por {{duration}}.',
  codeNote: 'Não o compartilhe. Nós nunca o pediremos a você.',
  linkLife: 'O link é válido por {{duration}}.',
  linkFallback: 'Se o botão não funcionar, copie este endereço para o navegador:',
  open: 'Continuar',
  sms: {
    SignIn: '{{code}} é seu código para entrar em {{host}}. Não o compartilhe.',
    Register: '{{code}} é seu código para criar sua conta em {{host}}. Não o compartilhe.',
    ForgotPassword: '{{code}} é seu código para definir uma nova senha em {{host}}. Não o compartilhe.',
    BindNewIdentifier: '{{code}} é seu código para adicionar este número em {{host}}. Não o compartilhe.',
    MfaVerification: '{{code}} é seu código para confirmar o acesso a {{host}}. Não o compartilhe.',
    BindMfa: '{{code}} é seu código para a verificação em duas etapas em {{host}}. Não o compartilhe.',
    UserPermissionValidation: '{{code}} é seu código para confirmar uma alteração em {{host}}. Não o compartilhe.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Seu link para entrar em {{host}}: {{link}}',
    AccountDeletion: 'Sua conta em {{host}} será excluída em {{date}}. Para mantê-la: {{link}}',
    OrganizationInvitation: 'Você recebeu um convite de {{organizationName}} em {{host}}: {{link}}',
    Generic: '{{code}} é seu código de verificação em {{host}}. Não o compartilhe.',
  },
}
