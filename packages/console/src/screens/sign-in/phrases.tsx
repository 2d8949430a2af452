/** The operator's own phrases in one language: found by key or text, changed in place of the server's, and given back. */
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type Answer, type Input, may, useAnswer, useChange } from '../../api/client.ts'
import { LANGUAGES, t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { inputClass } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Phrases = Answer<'getPhrases'>
type Translation = NonNullable<Input<'putCustomPhrases'>>['body']
const SHOWN = 20

/** Texts by `key` or `key.second`. */
const flat = (phrases: Phrases): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(phrases).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[key, value] as const]
        : Object.entries(value).map(([second, text]) => [`${key}.${second}`, text] as const),
    ),
  )

const nested = (texts: ReadonlyMap<string, string>): Translation => {
  const translation: Record<string, string | Record<string, string>> = {}
  for (const [path, text] of texts) {
    const [key = '', second] = path.split('.')
    if (text === '') continue
    translation[key] = second === undefined ? text : { ...(translation[key] as object | undefined), [second]: text }
  }
  return translation
}

const Row = ({
  path,
  text,
  isOwn,
  onChange,
}: {
  readonly path: string
  readonly text: string
  readonly isOwn: boolean
  readonly onChange: ((text: string) => void) | undefined
}) => (
  <li className="border-line py-3 not-last:border-b">
    <div className="mb-1 flex min-h-8 items-center gap-2">
      <label htmlFor={`phrase-${path}`} className="wrap-anywhere font-mono text-soft text-xs">
        {path}
      </label>
      {isOwn && <Badge tone="accent">{t('signIn.phrases.own')}</Badge>}
      {isOwn && onChange && text !== '' && (
        <IconButton label={`${t('signIn.phrases.reset')}: ${path}`} onClick={() => onChange('')} className="ms-auto">
          <RotateCcw size={15} />
        </IconButton>
      )}
    </div>
    <textarea
      id={`phrase-${path}`}
      rows={Math.min(4, Math.ceil((text.length + 1) / 60))}
      value={text}
      readOnly={!onChange}
      placeholder={t('signIn.phrases.given')}
      onChange={({ target }) => onChange?.(target.value.replaceAll('\n', ' '))}
      className={inputClass}
    />
  </li>
)

interface EditorProps {
  readonly language: string
  /** As pages have them now. */
  readonly phrases: ReadonlyMap<string, string>
  readonly own: ReadonlyMap<string, string>
}

const Editor = ({ language, phrases, own }: EditorProps) => {
  const [search, setSearch] = useState('')
  const [isOnlyOwn, setOnlyOwn] = useState(false)
  const [isEnding, setEnding] = useState(false)
  const { values, set, isChanged, reset } = useForm<Readonly<Record<string, string>>>(`phrases.${language}`, {})
  const put = useChange('putCustomPhrases')
  const remove = useChange('deleteCustomPhrases')
  const sought = search.toLowerCase()
  const found = [...phrases].filter(
    ([path, text]) =>
      (!isOnlyOwn || own.has(path)) && (path.toLowerCase().includes(sought) || text.toLowerCase().includes(sought)),
  )
  const body = nested(new Map([...own, ...Object.entries(values)]))
  const mayWrite = may('putCustomPhrases')
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          put.mutate(
            { params: { languageTag: language }, body },
            {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            },
          )
        }}
      >
        <SearchBox label={t('signIn.phrases.search')} value={search} onSearch={setSearch} />
        <SwitchRow
          label={t('signIn.phrases.onlyOwn')}
          text={t('signIn.phrases.onlyOwnText')}
          isOn={isOnlyOwn}
          onChange={setOnlyOwn}
        />
        {found.length === 0 && <p className="py-4 text-soft">{t('signIn.phrases.none')}</p>}
        <ul aria-label={t('signIn.tab.phrases')}>
          {found.slice(0, SHOWN).map(([path, text]) => (
            <Row
              key={path}
              path={path}
              text={values[path] ?? text}
              isOwn={own.has(path) || values[path] !== undefined}
              onChange={mayWrite ? (next) => set(path, next) : undefined}
            />
          ))}
        </ul>
        {found.length > SHOWN && (
          <p className="py-2 text-soft">{t('signIn.phrases.more', { count: found.length - SHOWN })}</p>
        )}
        {put.error && <ErrorState error={put.error} />}
        <div className="flex flex-wrap items-end gap-2">
          {mayWrite && <SaveBar isChanged={isChanged} isBusy={put.isPending} onDiscard={reset} />}
          {own.size > 0 && may('deleteCustomPhrases') && (
            <Button look="warning" onClick={() => setEnding(true)} className="ms-auto">
              {t('signIn.phrases.resetAll')}
            </Button>
          )}
          <ShowApiCall
            calls={[
              { id: 'getPhrases', input: { query: { lng: language } } },
              ...(isChanged
                ? [{ id: 'putCustomPhrases' as const, input: { params: { languageTag: language }, body } }]
                : []),
            ]}
          />
        </div>
      </form>
      <Confirm
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        title={t('signIn.phrases.resetAll')}
        text={t('signIn.phrases.resetAllText')}
        action={t('signIn.phrases.resetAll')}
        typed={language}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { params: { languageTag: language } },
            {
              onSuccess: () => {
                reset()
                setEnding(false)
              },
            },
          )
        }
      />
    </>
  )
}

interface PhrasesProps {
  readonly language: string
  readonly languages: readonly (readonly [tag: string, name: string])[]
  readonly onLanguage: (tag: string) => void
}

export const PhrasesTab = ({ language, languages, onLanguage }: PhrasesProps) => {
  const { data: all, error } = useAnswer('listCustomPhrases', {})
  const { data: phrases, error: phrasesError } = useAnswer('getPhrases', { query: { lng: language } })
  const [tag, setTag] = useState('')
  const own = all?.find(({ languageTag }) => languageTag === language)
  const failure = error ?? phrasesError
  return (
    <Card title={t('signIn.phrases')} text={t('signIn.phrasesText')}>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Select label={t('menu.language')} value={language} choices={languages} onChange={onLanguage} />
        {may('putCustomPhrases') && (
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              if (tag.trim()) onLanguage(tag.trim())
              setTag('')
            }}
          >
            <input
              aria-label={t('signIn.phrases.otherLanguage')}
              placeholder={t('signIn.phrases.otherLanguage')}
              value={tag}
              onChange={({ target }) => setTag(target.value)}
              className={`${inputClass} w-48`}
            />
            <Button type="submit" disabled={tag.trim() === ''}>
              {t('signIn.phrases.open')}
            </Button>
          </form>
        )}
      </div>
      {failure ? (
        <ErrorState error={failure} />
      ) : phrases && all ? (
        <Editor
          key={language}
          language={language}
          phrases={flat(phrases)}
          own={flat((own?.translation ?? {}) as Phrases)}
        />
      ) : (
        <Loading />
      )}
    </Card>
  )
}

/** The languages that pages can have: the server's, those of the operator's phrases, and one more. */
export const phraseLanguages = (
  own: readonly { readonly languageTag: string }[],
  ...more: readonly string[]
): readonly (readonly [tag: string, name: string])[] => [
  ...Object.entries(LANGUAGES),
  ...[...new Set([...own.map(({ languageTag }) => languageTag), ...more])]
    .filter((each) => !Object.hasOwn(LANGUAGES, each))
    .map((each) => [each, each] as const),
]
