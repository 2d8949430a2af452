/** The phrases of `en/application-settings.ts` in Korean. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': '브랜딩',
  'tokens.maxAllowedGrants': '사용자당 기기 수',
  'tokens.maxAllowedGrants.hint':
    '이 수를 초과하여 로그인하면 가장 오래된 기기가 로그아웃됩니다. 비워 두면 제한이 없습니다.',
  'tokens.algorithm': 'ID 토큰 알고리즘',
  'tokens.algorithmOfTenant': '현재 키와 동일',

  'refused.title': '이 주소를 추가할까요?',
  'refused.text':
    '로그인한 사용자가 코드와 함께 이 주소로 이동합니다. 링크를 여는 것만으로 누구나 이 기록을 남길 수 있으므로, 내 것임을 확실히 아는 주소만 추가하세요.',
  'refused.address': '주소',
  'refused.count': '거부된 요청',
  'refused.last': '최근 요청',
  'refused.from': '요청한 IP 주소',

  'signOut.title': '백채널 로그아웃',
  'signOut.text': '다른 곳에서 세션이 종료되면 애플리케이션에 알립니다.',
  'signOut.uri': '백채널 로그아웃 URI',
  'signOut.uriHint': '서명된 로그아웃 토큰을 POST로 받습니다. 비워 두면 알리지 않습니다.',

  'customData.title': '사용자 지정 데이터',
  'customData.text': '직접 만든 프로그램을 위해 보관됩니다. 서버는 읽지 않습니다.',

  'authentication.title': '인증',
  'authentication.text': '애플리케이션이 토큰 엔드포인트에서 자신을 증명하는 방법입니다.',
  'authentication.method': '방법',
  'authentication.client_secret_basic': '시크릿, 헤더(Basic)',
  'authentication.client_secret_post': '시크릿, 본문(POST)',
  'authentication.private_key_jwt': '개인 키(JWT)',
  'authentication.keys': '공개 키',
  'authentication.keysHint':
    'RSA, P-256, P-384 또는 Ed25519 키가 담긴 JSON Web Key Set입니다. 개인 키는 애플리케이션이 보관합니다.',

  'exchange.title': '토큰 교환',
  'exchange.text': '서비스가 다른 토큰과 교환한 토큰으로 사용자로서 작업하거나 사용자를 대신해 다른 API를 호출합니다.',
  'exchange.only': '지정한 항목만',
  'exchange.subjects': '받는 토큰의 대상',
  'exchange.anyApi': '모든 API',
  'exchange.targets': '발급받는 토큰의 대상',
  'exchange.anyTarget': 'Management API를 제외한 모든 API',

  'introspection.title': '인트로스펙션',
  'introspection.text': 'API가 전달받은 토큰이 유효한지 확인합니다.',
  'introspection.apis': '인트로스펙션할 수 있는 토큰의 대상',
  'introspection.every': '모든 API: 이 테넌트의 모든 토큰',

  'look.title': '로그인 페이지 표시',
  'look.text': '비워 둔 항목은 모든 애플리케이션과 동일하게 표시됩니다.',
  'look.displayName': '표시 이름',
  'look.displayNameHint': '사용자에게 이름 대신 표시됩니다.',
  'look.thirdParty': '서드 파티의 이용 약관과 개인정보 처리방침은 사용자에게 동의를 요청하는 화면에 표시됩니다.',
  'look.customCssText': '모든 페이지의 스타일 뒤에 적용되는 CSS입니다. 다른 주소에서 아무것도 불러오지 않습니다.',
  'look.dark.tenant': '모든 애플리케이션과 동일',
  'look.dark.true': '켜짐',
  'look.dark.false': '꺼짐',

  'application.tab.access': '액세스',
  'application.tab.consent': '동의',
  'application.tab.roles': '역할',

  'access.title': '로그인할 수 있는 사용자',
  'access.openText': '이 테넌트의 모든 사용자가 애플리케이션을 사용할 수 있습니다.',
  'access.limitedText': '아래 목록 중 하나에서 허용된 사용자만 애플리케이션을 사용할 수 있습니다.',
  'access.limit': '허용된 사용자만',
  'access.limitText': '로그인할 때마다 확인합니다.',
  'access.limitFirst': '먼저 사용자, 역할 또는 조직을 허용하세요.',
  'access.noUsers': '사용자가 없습니다.',
  'access.noRoles': '역할이 없습니다.',
  'access.noOrganizations': '조직이 없습니다.',
  'access.userText': '이 사용자가 애플리케이션을 사용할 수 있습니다.',
  'access.roleText': '이 역할을 가진 모든 사용자가 애플리케이션을 사용할 수 있습니다.',
  'access.organizationText': '애플리케이션을 사용할 수 있는 구성원은 다음 단계에서 선택합니다.',
  'access.addOrganization': '조직 추가',
  'access.rolesText': '역할을 선택하면 그중 하나를 가진 구성원만 허용됩니다. 선택하지 않으면 모든 구성원이 허용됩니다.',
  'access.admitAll': '모든 구성원 허용',
  'access.admitRoles': '이 역할 허용',
  'access.allMembers': '모든 구성원',
  'access.withRoles': '다음 역할을 가진 구성원: {roles}',
  'access.remove': '제거',
  'access.removeText':
    '더 이상 이 항목으로 사용자가 허용되지 않습니다. 같은 사용자가 다른 규칙으로 허용될 수 있습니다.',

  'machine.rolesText': '애플리케이션이 할 수 있는 작업으로, 다음 토큰부터 적용됩니다.',
  'machine.noRoles': '역할이 없습니다.',
  'machine.addRoleText': '애플리케이션은 다음 토큰부터 이 역할의 권한을 받습니다.',
  'machine.organizationsText': '애플리케이션이 구성원인 조직과 그 조직에서의 역할입니다.',
  'machine.management': 'Management API',
  'machine.managementText': '역할은 개별 권한을 부여합니다. 여기서는 모든 권한을 부여합니다.',
  'machine.admin': 'Management API 전체 액세스',
  'machine.adminText': '이 테넌트의 모든 것을 읽고 변경할 수 있습니다.',
  'machine.adminWarning':
    '시크릿을 가진 사람은 누구나 사용자와 시크릿을 포함하여 이 테넌트의 모든 것을 읽고 변경할 수 있게 됩니다.',
  'machine.give': '전체 액세스 부여',

  'consent.title': '사용자 정보',
  'consent.text':
    '애플리케이션이 사용자에게 요청할 수 있는 정보입니다. 요청에 포함된 다른 항목은 무시되며, 나머지는 사용자가 보고 동의합니다.',
  'consent.profile': '이름, 사진 및 기타 프로필 데이터',
  'consent.email': '이메일 주소',
  'consent.phone': '전화번호',
  'consent.address': '우편 주소',
  'consent.customData': '사용자 지정 데이터',
  'consent.identities': '연결된 계정',
  'consent.roles': '역할',
  'consent.organizations': '조직',
  'consent.organizationRoles': '조직에서의 역할',
  'consent.sessions': '세션',
  'consent.trustedDevices': '신뢰하는 기기',
  'consent.ownText': '사용자가 애플리케이션에 대리를 허용한 조직에서의 권한입니다.',
  'consent.inOrganizations': '{name}(조직 내)',

  'create.thirdParty': '서드 파티 애플리케이션',
  'create.thirdPartyText':
    '다른 회사에서 운영: 애플리케이션이 할 수 있는 작업에 대해 사용자의 동의를 구합니다. 나중에 변경할 수 없습니다.',
  'start.verification': '사용자가 코드를 입력하는 페이지',
}
