/** The real pages with the settings of the form, before they are saved: on a phone and a desktop, light and dark. */
import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Answer, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { IconButton } from '../../parts/button.tsx'
import { Select } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { type Device, Frame } from './frame.tsx'
import type { Change } from './settings.ts'

const PAUSE_MS = 300
const PAGES = ['sign-in', 'register'] as const
type Page = (typeof PAGES)[number]

/** What it was when the typing paused. */
const useRested = (value: string): string => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

interface PreviewProps {
  readonly change: Change
  readonly languages: readonly (readonly [tag: string, name: string])[]
  /** The language in which it is shown first. */
  readonly language: string
}

export const Preview = ({ change, languages, language }: PreviewProps) => {
  const [page, setPage] = useState<Page>('sign-in')
  const [device, setDevice] = useState<Device>('desktop')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [chosen, choose] = useState('')
  const [shown, setShown] = useState<Answer<'previewPage'>>()
  const settings = useRested(JSON.stringify(change))
  const { data, error } = useAnswer('previewPage', {
    query: { screen: page, language: chosen || language, ...(settings === '{}' ? {} : { settings }) },
  })
  useEffect(() => {
    if (data) setShown(data)
  }, [data])
  const isDark = scheme === 'dark'
  const isPhone = device === 'phone'
  return (
    <section aria-label={t('signIn.preview')} className="mb-4 rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <Select
          label={t('signIn.page')}
          value={page}
          choices={PAGES.map((each) => [each, t(`signIn.page.${each}`)])}
          onChange={(next) => setPage(next === 'register' ? 'register' : 'sign-in')}
        />
        <Select label={t('menu.language')} value={chosen || language} choices={languages} onChange={choose} />
        <span className="ms-auto flex">
          <IconButton
            label={t(isPhone ? 'signIn.onDesktop' : 'signIn.onPhone')}
            onClick={() => setDevice(isPhone ? 'desktop' : 'phone')}
          >
            {isPhone ? <Monitor size={16} aria-hidden /> : <Smartphone size={16} aria-hidden />}
          </IconButton>
          <IconButton
            label={t(isDark ? 'signIn.inLight' : 'signIn.inDark')}
            onClick={() => setScheme(isDark ? 'light' : 'dark')}
          >
            {isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          </IconButton>
        </span>
      </div>
      {error && <ErrorState error={error} />}
      <div className="bg-sunken p-4">
        {shown ? (
          <Frame {...shown} title={t('signIn.preview')} device={device} scheme={scheme} />
        ) : (
          !error && <Loading />
        )}
      </div>
    </section>
  )
}
