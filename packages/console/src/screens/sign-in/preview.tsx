/**
 * The real pages with the settings of the form, before they are saved: on a phone and a desktop, light and dark, in each language, and
 * as users of an application or an organization see them.
 */
import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Answer, useAnswer, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { IconButton } from '../../parts/button.tsx'
import { useRested } from '../../parts/rested.ts'
import { Select } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { type Device, Frame } from './frame.tsx'
import type { Change } from './settings.ts'

const PAUSE_MS = 300
const PAGES = [
  'sign-in',
  'register',
  'extra-profile',
  'code',
  'forgot-password',
  'second-factor',
  'consent',
  'account',
] as const
type Page = (typeof PAGES)[number]
/** How many of them can be chosen. */
const LISTED = 100
const isNarrow = () => matchMedia('(max-width: 767px)').matches

/** The applications and organizations whose look can be shown, each with the parameter that says so. */
const useLooks = () => {
  const query = { page: 1, page_size: LISTED }
  const { data: applications } = usePage('listApplications', {
    query: { ...query, types: ['SPA', 'Traditional', 'Native'] },
  })
  const { data: organizations } = usePage('listOrganizations', { query })
  const looks: (readonly [value: string, title: string])[] = [
    ['', t('signIn.lookOf.tenant')],
    ...(applications?.rows ?? []).map(
      ({ id, name }) => [`applicationId ${id}`, t('signIn.lookOf.application', { name })] as const,
    ),
    ...(organizations?.rows ?? []).map(
      ({ id, name }) => [`organizationId ${id}`, t('signIn.lookOf.organization', { name })] as const,
    ),
  ]
  return looks
}

interface PreviewProps {
  readonly change: Change
  readonly languages: readonly (readonly [tag: string, name: string])[]
  /** The language in which it is shown first. */
  readonly language: string
  /** The page that is shown until another one is chosen. */
  readonly first?: Page
  /** In place of a sample's. */
  readonly applicationName?: string | undefined
  /** The look of one application or organization, which is part of the change: no other one is offered. */
  readonly isOfOne?: true
}

export const Preview = ({ change, languages, language, first = 'sign-in', applicationName, isOfOne }: PreviewProps) => {
  const [page, setPage] = useState<Page>(first)
  useEffect(() => setPage(first), [first])
  const [device, setDevice] = useState<Device>(() => (isNarrow() ? 'phone' : 'desktop'))
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [chosen, choose] = useState('')
  const [look, setLook] = useState('')
  const looks = useLooks()
  const [parameter = '', id] = look.split(' ')
  const [shown, setShown] = useState<Answer<'previewPage'>>()
  const settings = useRested(JSON.stringify(change), PAUSE_MS)
  const { data, error } = useAnswer('previewPage', {
    body: {
      screen: page,
      language: chosen || language,
      ...(id === undefined ? {} : { [parameter]: id }),
      ...(applicationName ? { applicationName } : {}),
      settings: JSON.parse(settings) as Change,
    },
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
          onChange={(next) => setPage(PAGES.find((each) => each === next) ?? 'sign-in')}
        />
        <Select label={t('menu.language')} value={chosen || language} choices={languages} onChange={choose} />
        {!isOfOne && looks.length > 1 && (
          <Select label={t('signIn.lookOf')} value={look} choices={looks} onChange={setLook} />
        )}
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
