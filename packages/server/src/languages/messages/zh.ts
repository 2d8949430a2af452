/** The texts of messages in Chinese, in simplified characters. */

import { backchannelMail, backchannelSms } from '../backchannel/zh.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/zh.ts'

const CHANGE_PASSWORD = '如果这不是您的请求，可能有人登录了您的账号。请设置新密码，并且不要分享此验证码。'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: '您的登录验证码',
      lead: '使用此验证码登录 {{host}}。',
      unasked: '如果您没有尝试登录，请忽略此邮件。没有验证码，任何人都无法登录。',
    },
    Register: {
      subject: '您的注册验证码',
      lead: '使用此验证码在 {{host}} 创建账号。',
      unasked: '如果您不想创建账号，请忽略此邮件。没有验证码就不会创建账号。',
    },
    ForgotPassword: {
      subject: '您的密码重置验证码',
      lead: '使用此验证码在 {{host}} 设置新密码。',
      unasked: '如果您没有请求新密码，请忽略此邮件。您的密码保持不变。',
    },
    BindNewIdentifier: {
      subject: '用于添加此地址的验证码',
      lead: '使用此验证码将此地址添加到您在 {{host}} 的账号。',
      unasked: '如果这不是您的请求，请忽略此邮件。没有验证码就不会添加该地址。',
    },
    MfaVerification: {
      subject: '您的两步验证码',
      lead: '使用此验证码确认是您本人在登录 {{host}}。',
      unasked: '如果您没有尝试登录，可能有人知道您的密码。请设置新密码，并且不要分享此验证码。',
    },
    BindMfa: {
      subject: '用于设置两步验证的验证码',
      lead: '使用此验证码为您在 {{host}} 的账号设置两步验证。',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: '用于确认更改的验证码',
      lead: '使用此验证码确认对您在 {{host}} 的账号的更改。',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: '您的登录链接',
      lead: '使用此链接登录 {{host}}。',
      action: '登录',
      unasked: '如果您没有尝试登录，请忽略此邮件。请勿转发：任何拥有该链接的人都能以您的身份登录。',
    },
    OrganizationInvitation: {
      subject: '您收到了邀请',
      lead: '您受邀加入 {{host}} 上的 {{organizationName}}。',
      action: '查看邀请',
      unasked: '如果您没有料到此邀请，请忽略此邮件。只有接受邀请，您才会成为成员。',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: '您的验证码',
      lead: '在 {{host}} 使用此验证码。',
      unasked: '如果您没有料到此邮件，请忽略它。',
    },
  },
  changes,
  codeLife: '{{duration}}内有效。',
  codeNote: '请勿分享。我们绝不会向您索要验证码。',
  linkLife: '该链接在{{duration}}内有效。',
  linkFallback: '如果按钮不起作用，请将此网址复制到浏览器中：',
  open: '继续',
  sms: {
    SignIn: '{{code}} 是您登录 {{host}} 的验证码。请勿分享。',
    Register: '{{code}} 是您在 {{host}} 创建账号的验证码。请勿分享。',
    ForgotPassword: '{{code}} 是您在 {{host}} 设置新密码的验证码。请勿分享。',
    BindNewIdentifier: '{{code}} 是您在 {{host}} 添加此号码的验证码。请勿分享。',
    MfaVerification: '{{code}} 是您确认登录 {{host}} 的验证码。请勿分享。',
    BindMfa: '{{code}} 是您在 {{host}} 设置两步验证的验证码。请勿分享。',
    UserPermissionValidation: '{{code}} 是您在 {{host}} 确认更改的验证码。请勿分享。',
    BackchannelAuthentication: backchannelSms,
    MagicLink: '您登录 {{host}} 的链接：{{link}}',
    AccountDeletion: '您在 {{host}} 的账号将于 {{date}} 删除。如需保留：{{link}}',
    OrganizationInvitation: '您受邀加入 {{host}} 上的 {{organizationName}}：{{link}}',
    Generic: '{{code}} 是您在 {{host}} 的验证码。请勿分享。',
  },
}
