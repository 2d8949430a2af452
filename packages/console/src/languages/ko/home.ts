/** The phrases of `en/home.ts` in Korean. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': '{name} 님, 안녕하세요',
  'home.recent': '지금 일어나는 일',
  'home.allEntries': '로그 열기',

  'first.title': '첫 단계',
  'first.text': '첫 사용자가 로그인하기까지 세 단계입니다.',
  'first.done': '완료',
  'first.administrator': '이 서버의 관리자: 나',
  'first.application': '애플리케이션 등록',
  'first.applicationText': '사용자가 여기에서 로그인하는 웹사이트, 앱 또는 서비스입니다.',
  'first.signIn': '애플리케이션에 로그인',
  'first.signInText': '코드를 애플리케이션에 붙여 넣고 실행한 다음 새 계정으로 로그인하세요.',
  'first.signedIn': '사용자가 로그인했습니다',
  'first.code': '{name} 코드',
  'first.waiting': '첫 로그인을 기다리는 중…',
  'first.finished': '작동합니다. 사용자가 애플리케이션에 로그인할 수 있습니다.',
  'applications.create': '애플리케이션 만들기',
}
