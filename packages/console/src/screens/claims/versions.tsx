/** The versions of a claims script: who changed it when, how each differs from the one in use, and going back to one. */
import { History } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { ago, moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { useNames } from '../log/names.ts'
import { type Line, lineDifference } from './line-difference.ts'
import type { Token } from './script.ts'

type Version = Answer<'listJwtCustomizerVersions'>[number]

const LOOKS: Readonly<Record<Line['kind'], readonly [sign: string, look: string]>> = {
  same: [' ', ''],
  added: ['+', 'bg-good-tint text-good'],
  removed: ['−', 'bg-bad-tint text-bad'],
}

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
  <pre tabIndex={0} className="overflow-x-auto rounded-xl border border-line bg-sunken py-3 font-mono text-xs">
    {lines.map(({ kind, text }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move
      <span key={at} className={`block min-w-max px-4 ${LOOKS[kind][1]}`}>
        {LOOKS[kind][0]} {text}
      </span>
    ))}
  </pre>
)

interface ComparedProps {
  readonly token: Token
  readonly version: Version
  /** The script in use; undefined: there is none. */
  readonly current: string | undefined
  readonly onClose: () => void
}

const Compared = ({ token, version, current, onClose }: ComparedProps) => {
  const params = { tokenTypePath: token, version: String(version.version) }
  const { data, error } = useAnswer('getJwtCustomizerVersion', { params })
  const restore = useChange('restoreJwtCustomizerVersion')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('claims.version', { number: version.version })}
      description={t('claims.versionText')}
      shape="drawer"
    >
      <div className="space-y-4">
        {error ? (
          <ErrorState error={error} />
        ) : data ? (
          <Lines lines={lineDifference(current ?? '', data.script)} />
        ) : (
          <Loading />
        )}
        {restore.error && <ErrorState error={restore.error} />}
        {may('restoreJwtCustomizerVersion') && !version.isCurrent && (
          <Button
            look="primary"
            isBusy={restore.isPending}
            onClick={() =>
              restore.mutate(
                { params },
                {
                  onSuccess: () => {
                    notify(t('claims.restored', { number: version.version }))
                    onClose()
                  },
                },
              )
            }
          >
            <History size={15} aria-hidden />
            {t('claims.restore')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

export const Versions = ({ token, current }: { readonly token: Token; readonly current: string | undefined }) => {
  const { data, error, refetch } = useAnswer('listJwtCustomizerVersions', { params: { tokenTypePath: token } })
  const [opened, setOpened] = useState<Version>()
  const nameOf = useNames()
  if (error) return <ErrorState error={error} retry={refetch} />
  if (data === undefined || data.length === 0) return null
  return (
    <Card title={t('claims.versions')} text={t('claims.versionsText')}>
      <ul aria-label={t('claims.versions')}>
        {data.map((each) => (
          <li key={each.version} className="flex items-center gap-3 border-line py-2 not-last:border-b">
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center gap-2 font-medium">
                {t('claims.version', { number: each.version })}
                {each.isCurrent && <Badge tone="good">{t('claims.inUse')}</Badge>}
              </div>
              <div className="wrap-anywhere text-soft text-xs" title={moment(each.createdAt)}>
                {ago(each.createdAt)}
                {each.changedBy?.id && ` · ${nameOf(each.changedBy.id)}`}
                {each.restoredFrom !== null && ` · ${t('claims.restoredFrom', { number: each.restoredFrom })}`}
              </div>
            </div>
            {!each.isCurrent && <Button onClick={() => setOpened(each)}>{t('claims.compare')}</Button>}
          </li>
        ))}
      </ul>
      {opened && <Compared token={token} version={opened} current={current} onClose={() => setOpened(undefined)} />}
    </Card>
  )
}
