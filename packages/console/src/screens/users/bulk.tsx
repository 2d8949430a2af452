/** What is done to all users that are chosen in the list: with progress, and a report of those for whom it failed. */
import { Ban, Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { callOnce, may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select.tsx'
import { type User, useBulkRun } from './bulk-run.ts'
import { titleOf } from './search.ts'

type Action = 'suspend' | 'delete' | 'addRole'
const MOST_ROLES = 100
const OPERATIONS = { suspend: 'suspendUser', delete: 'deleteUser', addRole: 'addUserRoles' } as const
const ICONS = { suspend: Ban, delete: Trash2, addRole: Plus } as const
const ACTIONS = Object.keys(OPERATIONS) as Action[]

/** The actions that the administrator may take. */
export const bulkActions = (): Action[] =>
  ACTIONS.filter((action) => may(OPERATIONS[action]) && (action !== 'addRole' || may('listRoles')))

const act = (action: Action, { id: userId }: User, roleId: string): Promise<unknown> => {
  const params = { userId }
  if (action === 'suspend') return callOnce('suspendUser', { params, body: { isSuspended: true } })
  if (action === 'delete') return callOnce('deleteUser', { params })
  return callOnce('addUserRoles', { params, body: { roleIds: [roleId] } })
}

interface RunProps {
  readonly action: Action
  readonly users: readonly User[]
  readonly onDone: (user: User) => void
  readonly onClose: () => void
}

const Run = ({ action, users, onDone, onClose }: RunProps) => {
  // those for whom it worked leave the list while it goes on
  const [all] = useState(users)
  const [typed, setTyped] = useState('')
  const [roleId, setRole] = useState('')
  const { progress, run, stop } = useBulkRun(onDone)
  const { data: roles = [] } = useAnswer(
    'listRoles',
    { query: { type: 'User', page: 1, page_size: MOST_ROLES } },
    action === 'addRole',
  )
  const count = all.length
  const isReady = action === 'delete' ? typed.trim() === String(count) : action !== 'addRole' || roleId !== ''
  const start = () => void run(all, (user) => act(action, user, roleId))
  const close = () => {
    stop()
    onClose()
  }
  return (
    <Dialog isOpen onClose={close} title={t(`bulk.${action}`, { count })} description={t(`bulk.${action}.text`)}>
      {progress === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) start()
          }}
        >
          <div className="mb-4">
            {action === 'delete' && (
              <Field name="count" label={`${t('confirm.type')} ${count}`} value={typed} onChange={setTyped} />
            )}
            {action === 'addRole' && (
              <SelectField
                label={t('bulk.role')}
                value={roleId}
                choices={[['', '–'], ...roles.map(({ id, name }) => [id, name] as const)]}
                onChange={setRole}
              />
            )}
          </div>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button look={action === 'delete' ? 'danger' : 'primary'} type="submit" disabled={!isReady}>
              {t(`bulk.${action}.action`)}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <progress
            aria-label={t('bulk.progress')}
            max={count}
            value={progress.done.size + progress.failed.length}
            className="block h-2 w-full accent-accent-fill"
          />
          <p className="mt-2" aria-live="polite">
            {t(progress.isRunning ? 'bulk.running' : 'bulk.finished', { done: progress.done.size, count })}
          </p>
          {progress.failed.length > 0 && (
            <ul className="mt-3 rounded-xl border border-line">
              {progress.failed.map(({ user, why }) => (
                <li key={user.id} className="border-line px-3 py-2 not-last:border-b">
                  <span className="wrap-anywhere font-medium">{titleOf(user)}</span>
                  <p className="wrap-anywhere text-bad text-xs">{why}</p>
                </li>
              ))}
            </ul>
          )}
          <div className="mt-4 flex justify-end gap-2">
            {progress.isRunning ? (
              <Button onClick={stop}>{t('bulk.stop')}</Button>
            ) : (
              <>
                {progress.done.size < count && <Button onClick={start}>{t('action.retry')}</Button>}
                <Button onClick={close}>{t('action.close')}</Button>
              </>
            )}
          </div>
        </>
      )}
    </Dialog>
  )
}

interface BulkProps {
  readonly chosen: readonly User[]
  readonly onDone: (user: User) => void
  readonly onClear: () => void
}

export const Bulk = ({ chosen, onDone, onClear }: BulkProps) => {
  const [action, setAction] = useState<Action>()
  return (
    <>
      {chosen.length > 0 && (
        <section aria-label={t('bulk.title')} className="flex flex-wrap items-center gap-2">
          <span className="font-medium tabular-nums">{t('bulk.chosen', { count: chosen.length })}</span>
          {bulkActions().map((each) => {
            const Icon = ICONS[each]
            return (
              <Button key={each} look={each === 'delete' ? 'warning' : 'secondary'} onClick={() => setAction(each)}>
                <Icon size={15} aria-hidden />
                {t(`bulk.${each}.action`)}
              </Button>
            )
          })}
          <Button look="ghost" onClick={onClear}>
            <X size={15} aria-hidden />
            {t('bulk.clear')}
          </Button>
        </section>
      )}
      {action && <Run action={action} users={chosen} onDone={onDone} onClose={() => setAction(undefined)} />}
    </>
  )
}
