/** Chinese: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: '这不是我本人操作',
  unasked: '如果是您本人操作，则无需处理。如果不是，请使用按钮：它会让所有已登录您账户的人退出登录。',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: '这不是我本人操作',
  notMeTitle: '不是您本人操作？',
  notMeLead: '如果是他人进行了此更改，请立即让所有人退出您的账户。',
  notMeHint: '这将结束所有会话以及所有应用和个人访问令牌的访问权限，且无法撤销。',
  notMeGone: '此链接已失效。链接只能在七天内使用一次。',
  notMeDone: '所有人均已退出登录',
  notMeDoneLead: '已没有人登录您的账户，也没有应用可以访问它。',
  notMeReset: '您的密码已失效。请在下次登录时选择忘记密码并设置新密码。',
  notMeCode: '您的密码已失效。我们已向您的电子邮件地址发送验证码：请在此输入验证码和新密码。',
  notMeFactorCode: '我们已向您的电子邮件地址发送验证码。输入验证码即可移除添加到两步验证中的方式。',
  notMeFactorGone: '该方式已从两步验证中移除。',
  notMeContact: '如果您的电子邮件地址或密码已被更改，请联系此服务的支持人员。',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: '您的账号将被删除',
    lead: '按照您的要求，您在 {{host}} 的账号将于 {{date}} 删除。如需保留，请使用此链接或在此之前登录。',
    action: '保留我的账号',
    unasked: '如果这不是您的要求，可能有他人知道您的密码。请保留您的账号并设置新密码。',
  },
  AccountChanged: { subject: '您的账户已更改', lead: '您在 {{host}} 的账户已更改。', ...notMe },
  NewSignIn: { subject: '您的账户有新的登录', lead: '您在 {{host}} 的账户有新的登录。', ...notMe },
}

/** What was changed. */
export const changes = {
  passwordChanged: '您在 {{host}} 的账户密码已更改。',
  emailChanged: '您在 {{host}} 的账户电子邮件地址已更改。',
  phoneChanged: '您在 {{host}} 的账户手机号码已更改。',
  factorAdded: '您在 {{host}} 的账户两步验证中添加了一种方式。',
  factorRemoved: '您在 {{host}} 的账户两步验证中移除了一种方式。',
  backupCodesCreated: '已为您在 {{host}} 的账户创建新的备用码。',
  identityLinked: '您在 {{host}} 的账户已与其他服务的账户关联。',
  identityUnlinked: '您在 {{host}} 的账户与其他服务账户的关联已解除。',
  accessTokenCreated: '已为您在 {{host}} 的账户创建个人访问令牌。',
  newSignIn: '您在 {{host}} 的账户从新的浏览器或新的地点登录。',
}
