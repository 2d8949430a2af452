/** The default password policy (WIRE W9): what it refuses, and why. */
import { DEFAULT_PASSWORD_POLICY, passwordIssues } from '@countersign/server/domain/credentials/password-policy.ts'
import { expect, test } from 'vitest'

const ANN = ['ann_marie', 'annette@acme.example', '4915112345678', 'Ann Müller', null, undefined]
const codes = (password: string, policy = DEFAULT_PASSWORD_POLICY) =>
  passwordIssues(password, policy, ANN).map(({ code }) => code.replace('password_rejected.', ''))

test.each([
  'correct horse',
  'tr0ub4dor&3',
  'пароль-мой',
  '密码是安全的吗朋友',
  '🔑🗝🚪🏠🌳🌲🌴🌵',
  // a restricted phrase with enough other characters
  'aaaaaa-x7k2',
  'annette-9f3k',
  'qwert-z!8',
])('%s is good', (password) => {
  expect(codes(password)).toEqual([])
})

test.each([
  ['', ['too_short', 'character_types']],
  ['x7k2q9f', ['too_short']],
  ['🔑🗝🚪🏠', ['too_short']],
  ['x'.repeat(257), ['too_long']],
  ['aaaaaaaa', ['restricted.repetition']],
  ['aaaabbbb', ['restricted.repetition']],
  ['12345678', ['restricted.sequence']],
  ['87654321', ['restricted.sequence']],
  ['QwErTyUi', ['restricted.sequence']],
  ['abcd1234', ['restricted.sequence']],
  ['aaaa1234', ['restricted.repetition', 'restricted.sequence']],
  ['1111qwer!', ['restricted.repetition', 'restricted.sequence']],
  ['ann_marie', ['restricted.user_info']],
  ['ANNETTE!', ['restricted.user_info']],
  ['müller12', ['restricted.user_info']],
  ['mu\u0308llermu\u0308ller', ['restricted.user_info']],
  ['4915112345678', ['restricted.user_info']],
  ['aaa', ['too_short', 'restricted.repetition']],
])('%s is refused: %j', (password, expected) => {
  expect(codes(password)).toEqual(expected)
})

test('a policy may ask for several kinds of characters and forbid words', () => {
  const policy = {
    ...DEFAULT_PASSWORD_POLICY,
    characterTypes: { min: 3 },
    rejects: { ...DEFAULT_PASSWORD_POLICY.rejects, words: ['Acme'] },
  }
  expect(codes('lowercaseonly', policy)).toEqual(['character_types'])
  expect(codes('Lower case', policy)).toEqual([])
  expect(codes('aCmE2026', policy)).toEqual([])
  expect(codes('Acme1acme', policy)).toEqual(['restricted.words'])
})

test('R-35: a password of maximum length is checked quickly, whatever its content', () => {
  const words = Array.from({ length: 100 }, (_, index) => 'a'.repeat(index + 3))
  const policy = { ...DEFAULT_PASSWORD_POLICY, rejects: { ...DEFAULT_PASSWORD_POLICY.rejects, words } }
  expect(codes('a'.repeat(256), policy)).toEqual(['restricted.repetition'])
  expect(codes('x'.repeat(10_000_000), policy)).toEqual(['too_long'])
})
