/** Korean: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: '로그인 확인',
  backchannelLead: '애플리케이션이 로그인을 요청합니다. 계속하여 어떤 애플리케이션인지 확인하고 결정하세요.',
  backchannelGone: '이 요청은 만료되었거나 이미 답변되었습니다.',
  backchannelConfirmTitle: '{application}에 로그인할까요?',
  backchannelMessage: '애플리케이션의 메시지',
  backchannelWarning:
    '예상한 요청이고 메시지가 시작한 곳에 표시된 것과 같을 때만 허용하세요. 그렇지 않으면 거부하세요.',
  backchannelDone: '로그인을 허용했습니다',
  backchannelDoneLead: '이 창을 닫고 시작한 곳에서 계속하세요.',
  backchannelDenied: '로그인을 거부했습니다',
  backchannelDeniedLead: '애플리케이션에 접근 권한이 부여되지 않았습니다. 이 창을 닫아도 됩니다.',
}

/** The mail. */
export const backchannelMail = {
  subject: '로그인 확인',
  lead: '애플리케이션이 {{host}} 로그인을 요청합니다. 이 링크에서 어떤 애플리케이션인지 확인하고 결정하세요.',
  action: '요청 보기',
  unasked: '예상하지 못한 요청이라면 이 이메일을 무시하세요. 허용하지 않으면 아무도 로그인되지 않습니다.',
}

/** The text message. */
export const backchannelSms = '애플리케이션이 {{host}} 로그인을 요청합니다. 결정: {{link}}'
