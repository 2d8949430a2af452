/** The phrases of `en/roles.ts` in Korean. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': '역할',

  'roles.text': '권한의 모음입니다. 역할을 가지면 역할에 지정된 모든 API에서 그 권한을 갖습니다.',
  'roles.create': '역할 만들기',
  'roles.createText': '권한은 나중에 선택합니다. 역할의 대상은 나중에 변경할 수 없습니다.',
  'roles.created': '{name}을(를) 만들었습니다',
  'roles.type': '대상',
  'roles.forUsers': '사용자',
  'roles.forMachines': '머신 투 머신(M2M)',
  'roles.members': '구성원',
  'roles.default': '기본 역할',
  'roles.defaultText': '지금부터 만들어지는 사용자가 이 역할을 가집니다. 기존 사용자는 그대로 유지됩니다.',
  'roles.none': '아직 역할이 없습니다',
  'roles.noneText': '같은 작업을 할 수 있는 사람이나 서비스의 그룹마다 하나씩 만드세요.',
  'roles.general': '일반',
  'roles.tab.permissions': '권한',
  'roles.tab.members': '구성원',
  'roles.tab.settings': '설정',
  'roles.chosen': '{count}/{total}',
  'roles.chooseAll': '모두',
  'roles.chooseNone': '없음',
  'roles.delete': '역할 삭제',
  'roles.deleteText': '역할을 가진 대상은 다음 토큰부터 그 권한을 잃습니다. 되돌릴 수 없습니다.',
  'roles.noMembers': '아무도 가지고 있지 않음',
  'roles.noMembersText': '이 권한이 필요한 대상에게 부여하세요.',
  'roles.addUser': '사용자 추가',
  'roles.addApplication': '애플리케이션 추가',
  'roles.given': '{name}에 역할을 부여했습니다',
  'roles.taken': '{name}에서 역할을 제거했습니다',
}
