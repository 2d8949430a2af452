/** Which permissions a role has: a card for each API, a box for each permission. */

import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Card } from './page.tsx'

interface PermissionGroup {
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly permissions: readonly { readonly id: string; readonly name: string; readonly description: string | null }[]
}

interface PermissionPickerProps {
  readonly groups: readonly PermissionGroup[]
  /** Ids. */
  readonly held: ReadonlySet<string>
  readonly onChange: (held: ReadonlySet<string>) => void
  readonly isReadOnly: boolean
}

export const PermissionPicker = ({ groups, held, onChange, isReadOnly }: PermissionPickerProps) =>
  groups.map(({ id, title, text, permissions }) => {
    const count = permissions.filter((each) => held.has(each.id)).length
    const hasAll = count === permissions.length
    const put = (ids: readonly string[], isHeld: boolean) => {
      const next = new Set(held)
      for (const each of ids) isHeld ? next.add(each) : next.delete(each)
      onChange(next)
    }
    return (
      <Card
        key={id}
        title={title}
        {...(text === undefined ? {} : { text })}
        actions={
          <div className="flex items-center gap-3">
            <span className="text-soft tabular-nums">{t('roles.chosen', { count, total: permissions.length })}</span>
            {!isReadOnly && permissions.length > 0 && (
              <Button
                aria-label={`${t(hasAll ? 'roles.chooseNone' : 'roles.chooseAll')}: ${title}`}
                onClick={() =>
                  put(
                    permissions.map((each) => each.id),
                    !hasAll,
                  )
                }
              >
                {t(hasAll ? 'roles.chooseNone' : 'roles.chooseAll')}
              </Button>
            )}
          </div>
        }
      >
        {permissions.length === 0 ? (
          <p className="text-soft">{t('api.noPermissions')}</p>
        ) : (
          <ul className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {permissions.map(({ id: scopeId, name, description }) => (
              <li key={scopeId}>
                <label className="-mx-2 flex cursor-pointer items-start gap-3 rounded-lg px-2 py-1.5 hover:bg-hover max-md:py-2.5">
                  <input
                    type="checkbox"
                    checked={held.has(scopeId)}
                    disabled={isReadOnly}
                    onChange={({ target }) => put([scopeId], target.checked)}
                    className="mt-0.5 size-4 shrink-0 accent-accent-fill"
                  />
                  <span className="min-w-0">
                    <code className="wrap-anywhere block font-mono text-[0.8125rem]">{name}</code>
                    {description && <span className="wrap-anywhere block text-soft text-xs">{description}</span>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
      </Card>
    )
  })
