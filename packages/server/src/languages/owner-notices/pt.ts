/** Portuguese: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Não fui eu',
  unasked:
    'Se foi você, não é preciso fazer nada. Se não foi, use o botão: ele desconecta todos os que estão conectados à sua conta.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Não fui eu',
  notMeTitle: 'Não foi você?',
  notMeLead: 'Se outra pessoa fez esta alteração, desconecte agora todos da sua conta.',
  notMeHint:
    'Isso encerra todas as sessões e o acesso de todos os aplicativos e tokens de acesso pessoais. Não é possível desfazer.',
  notMeGone: 'Este link não é mais válido. Ele pode ser usado uma vez, em até sete dias.',
  notMeDone: 'Todos foram desconectados',
  notMeDoneLead: 'Ninguém mais está conectado à sua conta, e nenhum aplicativo tem acesso a ela.',
  notMeReset: 'Sua senha não funciona mais. Na próxima entrada, escolha a opção de senha esquecida e defina uma nova.',
  notMeCode: 'Sua senha não funciona mais. Enviamos um código para o seu e-mail: digite-o aqui com uma nova senha.',
  notMeFactorCode:
    'Enviamos um código para o seu e-mail. Digite-o para remover o método que foi adicionado à sua verificação em duas etapas.',
  notMeFactorGone: 'O método foi removido da sua verificação em duas etapas.',
  notMeContact: 'Se o seu e-mail ou a sua senha foi alterado, peça ajuda ao suporte deste serviço.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Sua conta será excluída',
    lead: 'Sua conta em {{host}} será excluída em {{date}}, como você pediu. Para mantê-la, use este link ou entre antes dessa data.',
    action: 'Manter minha conta',
    unasked:
      'Se não foi você quem pediu, outra pessoa pode saber sua senha. Mantenha sua conta e defina uma nova senha.',
  },
  AccountChanged: { subject: 'Sua conta foi alterada', lead: 'Sua conta em {{host}} foi alterada.', ...notMe },
  NewSignIn: {
    subject: 'Nova entrada na sua conta',
    lead: 'Houve uma nova entrada na sua conta em {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'A senha da sua conta em {{host}} foi alterada.',
  emailChanged: 'O e-mail da sua conta em {{host}} foi alterado.',
  phoneChanged: 'O número de telefone da sua conta em {{host}} foi alterado.',
  factorAdded: 'Um método foi adicionado à verificação em duas etapas da sua conta em {{host}}.',
  factorRemoved: 'Um método foi removido da verificação em duas etapas da sua conta em {{host}}.',
  backupCodesCreated: 'Novos códigos de backup foram criados para a sua conta em {{host}}.',
  identityLinked: 'Sua conta em {{host}} foi vinculada a uma conta de outro serviço.',
  identityUnlinked: 'O vínculo da sua conta em {{host}} com uma conta de outro serviço foi removido.',
  accessTokenCreated: 'Um token de acesso pessoal foi criado para a sua conta em {{host}}.',
  newSignIn: 'Alguém entrou na sua conta em {{host}} de um novo navegador ou de um novo lugar.',
}
