/** What applying a file would change, line by line: what is new, what changes, what goes, what is kept although it is not named. */
import { CircleCheck } from 'lucide-react'
import type { Answer } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'

type Change = Answer<'compareTenant'>['changes'][number]

const VERBS = {
  create: { tone: 'good', title: 'tenantFile.create' },
  change: { tone: 'accent', title: 'tenantFile.change' },
  delete: { tone: 'bad', title: 'tenantFile.delete' },
  keep: { tone: 'plain', title: 'tenantFile.keep' },
} as const satisfies Record<Change['verb'], { readonly tone: Tone; readonly title: Phrase }>

export const Difference = ({ changes }: { readonly changes: readonly Change[] }) =>
  changes.length === 0 ? (
    <p role="status" className="flex items-center gap-3 rounded-xl bg-good-tint p-3 text-good">
      <CircleCheck size={18} aria-hidden className="shrink-0" />
      {t('tenantFile.same')}
    </p>
  ) : (
    <ul aria-label={t('tenantFile.difference')} className="overflow-hidden rounded-xl border border-line">
      {changes.map(({ verb, what, details }) => (
        <li key={`${verb} ${what}`} className="flex items-start gap-3 border-line px-4 py-2.5 not-last:border-b">
          <span className="w-20 shrink-0">
            <Badge tone={VERBS[verb].tone}>{t(VERBS[verb].title)}</Badge>
          </span>
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere font-medium">{what}</p>
            {details.map((detail) => (
              <p key={detail} className="wrap-anywhere font-mono text-soft text-xs">
                {detail}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
