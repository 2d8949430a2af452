/** Korean: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: '본인이 아닙니다',
  unasked:
    '본인이 한 일이라면 아무것도 하지 않아도 됩니다. 본인이 아니라면 버튼을 누르세요. 계정에 로그인한 모든 사람이 로그아웃됩니다.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: '본인이 아닙니다',
  notMeTitle: '본인이 아니었나요?',
  notMeLead: '다른 사람이 변경했다면 지금 계정에서 모든 사람을 로그아웃하세요.',
  notMeHint: '모든 세션과 모든 애플리케이션 및 개인 액세스 토큰의 접근이 종료됩니다. 되돌릴 수 없습니다.',
  notMeGone: '이 링크는 더 이상 유효하지 않습니다. 7일 이내에 한 번만 사용할 수 있습니다.',
  notMeDone: '모두 로그아웃되었습니다',
  notMeDoneLead: '이제 계정에 로그인한 사람이 없으며 어떤 애플리케이션도 계정에 접근할 수 없습니다.',
  notMeReset: '현재 비밀번호는 더 이상 사용할 수 없습니다. 다음 로그인 때 비밀번호 찾기에서 새 비밀번호를 설정하세요.',
  notMeCode:
    '비밀번호를 더 이상 사용할 수 없습니다. 이메일 주소로 코드를 보냈습니다. 새 비밀번호와 함께 여기에 입력하세요.',
  notMeFactorCode: '이메일 주소로 코드를 보냈습니다. 2단계 인증에 추가된 방법을 제거하려면 코드를 입력하세요.',
  notMeFactorGone: '2단계 인증에서 방법이 제거되었습니다.',
  notMeContact: '이메일 주소나 비밀번호가 변경되었다면 이 서비스의 고객 지원에 문의하세요.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: '계정이 삭제됩니다',
    lead: '요청하신 대로 {{host}} 계정이 {{date}}에 삭제됩니다. 유지하려면 이 링크를 사용하거나 그 전에 로그인하세요.',
    action: '내 계정 유지',
    unasked:
      '요청하지 않았다면 다른 사람이 비밀번호를 알고 있을 수 있습니다. 계정을 유지하고 새 비밀번호를 설정하세요.',
  },
  AccountChanged: { subject: '계정이 변경되었습니다', lead: '{{host}} 계정이 변경되었습니다.', ...notMe },
  NewSignIn: { subject: '계정에 새로운 로그인', lead: '{{host}} 계정에 새로운 로그인이 있었습니다.', ...notMe },
}

/** What was changed. */
export const changes = {
  passwordChanged: '{{host}} 계정의 비밀번호가 변경되었습니다.',
  emailChanged: '{{host}} 계정의 이메일 주소가 변경되었습니다.',
  phoneChanged: '{{host}} 계정의 전화번호가 변경되었습니다.',
  factorAdded: '{{host}} 계정의 2단계 인증에 방법이 추가되었습니다.',
  factorRemoved: '{{host}} 계정의 2단계 인증에서 방법이 제거되었습니다.',
  backupCodesCreated: '{{host}} 계정의 새 백업 코드가 생성되었습니다.',
  identityLinked: '{{host}} 계정이 다른 서비스의 계정과 연결되었습니다.',
  identityUnlinked: '{{host}} 계정과 다른 서비스 계정의 연결이 해제되었습니다.',
  accessTokenCreated: '{{host}} 계정의 개인 액세스 토큰이 생성되었습니다.',
  newSignIn: '새 브라우저 또는 새 장소에서 {{host}} 계정에 로그인했습니다.',
}
