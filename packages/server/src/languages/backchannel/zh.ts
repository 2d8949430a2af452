/** Chinese: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: '确认登录',
  backchannelLead: '有应用请求让您登录。请继续，查看是哪个应用并作出决定。',
  backchannelGone: '此请求已过期，或已得到答复。',
  backchannelConfirmTitle: '登录 {application}？',
  backchannelMessage: '来自应用的消息',
  backchannelWarning: '只有在您预期此请求，且此处的消息与您开始操作时看到的一致时才允许；否则请拒绝。',
  backchannelDone: '您已允许登录',
  backchannelDoneLead: '您可以关闭此窗口，回到开始操作的地方继续。',
  backchannelDenied: '您已拒绝登录',
  backchannelDeniedLead: '应用未获得访问权限。您可以关闭此窗口。',
}

/** The mail. */
export const backchannelMail = {
  subject: '确认登录',
  lead: '有应用请求让您登录 {{host}}。请通过此链接查看是哪个应用并作出决定。',
  action: '查看请求',
  unasked: '如果您没有预期此请求，可以忽略这封邮件。未经您允许，不会有人登录。',
}

/** The text message. */
export const backchannelSms = '有应用请求让您登录 {{host}}。请决定：{{link}}'
