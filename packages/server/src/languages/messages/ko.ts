/** The texts of messages in Korean. */

import { backchannelMail, backchannelSms } from '../backchannel/ko.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/ko.ts'

const CHANGE_PASSWORD =
  '요청하지 않았다면 다른 사람이 계정에 로그인했을 수 있습니다. 새 비밀번호를 설정하고 이 코드를 공유하지 마세요.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: '로그인 코드',
      lead: '이 코드로 {{host}}에 로그인하세요.',
      unasked: '로그인을 시도하지 않았다면 이 이메일을 무시하세요. 코드 없이는 아무도 로그인할 수 없습니다.',
    },
    Register: {
      subject: '가입 코드',
      lead: '이 코드로 {{host}} 계정을 만드세요.',
      unasked: '계정을 만들려고 하지 않았다면 이 이메일을 무시하세요. 코드 없이는 계정이 만들어지지 않습니다.',
    },
    ForgotPassword: {
      subject: '새 비밀번호 설정 코드',
      lead: '이 코드로 {{host}}의 새 비밀번호를 설정하세요.',
      unasked: '새 비밀번호를 요청하지 않았다면 이 이메일을 무시하세요. 비밀번호는 그대로 유지됩니다.',
    },
    BindNewIdentifier: {
      subject: '주소 추가 코드',
      lead: '이 코드로 이 주소를 {{host}} 계정에 추가하세요.',
      unasked: '요청하지 않았다면 이 이메일을 무시하세요. 코드 없이는 주소가 추가되지 않습니다.',
    },
    MfaVerification: {
      subject: '2단계 인증 코드',
      lead: '이 코드로 {{host}} 로그인이 본인임을 확인하세요.',
      unasked:
        '로그인을 시도하지 않았다면 다른 사람이 비밀번호를 알고 있을 수 있습니다. 새 비밀번호를 설정하고 이 코드를 공유하지 마세요.',
    },
    BindMfa: {
      subject: '2단계 인증 설정 코드',
      lead: '이 코드로 {{host}} 계정에 2단계 인증을 설정하세요.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: '변경 확인 코드',
      lead: '이 코드로 {{host}} 계정의 변경 사항을 확인하세요.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: '로그인 링크',
      lead: '이 링크로 {{host}}에 로그인하세요.',
      action: '로그인',
      unasked:
        '로그인을 시도하지 않았다면 이 이메일을 무시하세요. 링크가 있으면 누구나 로그인할 수 있으니 전달하지 마세요.',
    },
    OrganizationInvitation: {
      subject: '초대를 받았습니다',
      lead: '{{host}}의 {{organizationName}}에 초대되었습니다.',
      action: '초대 보기',
      unasked: '예상하지 못한 초대라면 이 이메일을 무시하세요. 수락해야만 구성원이 됩니다.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: '인증 코드',
      lead: '이 코드를 {{host}}에서 사용하세요.',
      unasked: '예상하지 못한 이메일이라면 무시하세요.',
    },
  },
  changes,
  codeLife: '유효 시간: {{duration}}.',
  codeNote: '공유하지 마세요. 저희는 코드를 절대 묻지 않습니다.',
  linkLife: '링크 유효 시간: {{duration}}.',
  linkFallback: '버튼이 작동하지 않으면 이 주소를 브라우저에 복사하세요:',
  open: '계속',
  sms: {
    SignIn: '{{code}}은(는) {{host}} 로그인 코드입니다. 공유하지 마세요.',
    Register: '{{code}}은(는) {{host}} 가입 코드입니다. 공유하지 마세요.',
    ForgotPassword: '{{code}}은(는) {{host}} 새 비밀번호 설정 코드입니다. 공유하지 마세요.',
    BindNewIdentifier: '{{code}}은(는) {{host}} 번호 추가 코드입니다. 공유하지 마세요.',
    MfaVerification: '{{code}}은(는) {{host}} 로그인 확인 코드입니다. 공유하지 마세요.',
    BindMfa: '{{code}}은(는) {{host}} 2단계 인증 설정 코드입니다. 공유하지 마세요.',
    UserPermissionValidation: '{{code}}은(는) {{host}} 변경 확인 코드입니다. 공유하지 마세요.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: '{{host}} 로그인 링크: {{link}}',
    AccountDeletion: '{{host}} 계정이 {{date}}에 삭제됩니다. 유지: {{link}}',
    OrganizationInvitation: '{{host}}의 {{organizationName}}에 초대되었습니다: {{link}}',
    Generic: '{{code}}은(는) {{host}} 인증 코드입니다. 공유하지 마세요.',
  },
}
