/** Why a file is refused: each fault with its line and column. */
import { ManagementApiError } from '@countersign/contract'
import { t } from '../../languages/languages.ts'
import { ErrorState } from '../../parts/states.tsx'

interface Refused {
  readonly problems?: readonly { readonly line: number; readonly column: number; readonly reason: string }[]
}

export const Problems = ({ error }: { readonly error: unknown }) => {
  if (error === null || error === undefined) return null
  const { problems } = (error instanceof ManagementApiError ? (error.data as Refused | undefined) : undefined) ?? {}
  if (!problems) return <ErrorState error={error} />
  return (
    <div role="alert" className="rounded-xl bg-bad-tint p-4 text-bad">
      <p className="font-medium">{t('tenantFile.refused')}</p>
      <ul className="mt-1">
        {problems.map(({ line, column, reason }) => (
          <li key={`${line} ${column} ${reason}`} className="wrap-anywhere">
            {t('tenantFile.place', { line, column })}: {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
