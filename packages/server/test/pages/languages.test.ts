/**
 * The texts of each language against those of English. That none is missing is the compiler's to say; these are the rules that it
 * cannot know. They concern the texts alone, so no server is needed.
 */
import { BUILT_IN_LANGUAGES } from '@countersign/server/languages/choice.ts'
import { formatsOf } from '@countersign/server/languages/formats.ts'
import { textsIn } from '@countersign/server/languages/texts.ts'
import { describe, expect, test } from 'vitest'

/** Texts by their path, such as `messages.mail.SignIn.subject`. */
const flat = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as [string, string]] : flat(value, `${path}${name}.`),
  )

const textsOf = async (language: string) => {
  const { phrases, messages } = await textsIn(language)
  return flat({ phrases, messages })
}

const placeholdersIn = (text: string) => (text.match(/\{+[^}]*\}+/g) ?? []).toSorted()

/** Labels of buttons that fill the width of the card: on a narrow phone 280 pixels, in one line. */
const BUTTON =
  /^phrases\.(signIn|createAccount|continue|sendCode|setPassword|signInWithPasskey|useSso|usePasskey|makePasskey|confirm|skip|backupCodesSaved|verifyEmail|sendAgain|linkAccount|otherWays|allow|deny|anotherAccount|deviceConfirmAllow|deviceConfirmDeny|signOut|cancel|factorName\.\w+)$|^messages\.(open|mail\.\w+\.action)$/

/** The most columns that a text may take; a wide character of East Asia takes two. */
const limitOf = (path: string): number => {
  if (/^phrases\.(show|hide)$/.test(path)) return 10
  if (/^phrases\.(terms|privacy|help)$/.test(path)) return 30
  if (path.endsWith('.subject') || /^phrases\.\w*Title$/.test(path)) return 60
  return BUTTON.test(path) ? 34 : Number.POSITIVE_INFINITY
}

const columnsOf = (text: string) =>
  text.length + (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)

describe.each(BUILT_IN_LANGUAGES)('the texts in %s', (language) => {
  test('have the placeholders of the English ones', async () => {
    const english = new Map(await textsOf('en'))
    for (const [path, text] of await textsOf(language))
      expect([path, placeholdersIn(text)]).toEqual([path, placeholdersIn(english.get(path) ?? '')])
  })

  test('fit their buttons, titles and subjects', async () => {
    const tooLong = (await textsOf(language)).filter(([path, text]) => columnsOf(text) > limitOf(path))
    expect(tooLong).toEqual([])
  })

  test('are plain text, trimmed and not empty', async () => {
    // the id of a request is put after the text
    const fits = (path: string, text: string) =>
      text.trim() === text && !/[<>\n]| {2}/.test(text) && (path !== 'phrases.requestNumber' || text.endsWith('{id}'))
    expect((await textsOf(language)).filter(([path, text]) => text === '' || !fits(path, text))).toEqual([])
  })
})

test('French has no-break spaces before colons, semicolons, question and exclamation marks', async () => {
  // the alphabet of text messages has none
  const onPages = (await textsOf('fr')).filter(([path]) => !path.startsWith('messages.sms.'))
  expect(onPages.filter(([, text]) => / [?:;!]/.test(text))).toEqual([])
})

test('the script decides the direction', () => {
  const rightToLeft = [...BUILT_IN_LANGUAGES, 'fa', 'ur-PK', 'az-Arab', 'az', 'sv'].filter(
    (tag) => formatsOf(tag).direction === 'rtl',
  )
  expect(rightToLeft).toEqual(['ar', 'he', 'fa', 'ur-PK', 'az-Arab'])
})
