/** Acting as a user: a reason, an application and an API, for an access token that says who acts. */
import { VenetianMask } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { time } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CheckRow } from '../../parts/check-row.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { claimsOf } from '../../parts/token-claims.ts'
import { tenantOrigin } from '../../session/place.ts'
import { titleOf } from './search.ts'

const MOST = 100

interface ActAsProps {
  readonly user: Answer<'getUser'>
  readonly onClose: () => void
}

type Impersonation = Answer<'createImpersonation'>

/** The token, shown once, with what it says and a request that it is for. */
const Made = ({ made, indicator }: { readonly made: Impersonation; readonly indicator: string }) => (
  <div className="space-y-4">
    <CopyField label={t('acting.token')} value={made.accessToken} />
    {made.scope === '' && <p className="text-soft">{t('acting.noScopes')}</p>}
    <CodeBlock title={t('acting.claims')} code={JSON.stringify(claimsOf(made.accessToken), null, 2)} />
    <CodeBlock
      title={t('acting.request')}
      code={`curl '${indicator.replaceAll("'", '%27')}' \\\n  -H 'Authorization: Bearer ${made.accessToken}'`}
    />
  </div>
)

const ActAsDialog = ({ user, onClose }: ActAsProps) => {
  const { data: applications } = useAnswer('listApplications', { query: { page: 1, page_size: MOST } })
  const { data: resources } = useAnswer('listResources', { query: { includeScopes: 'true', page: 1, page_size: MOST } })
  const create = useChange('createImpersonation')
  const [reason, setReason] = useState('')
  const [applicationId, setApplication] = useState('')
  const [resourceId, setResource] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const able = applications?.filter(({ customClientMetadata }) => customClientMetadata.allowTokenExchange) ?? []
  const apis = resources?.filter(({ indicator }) => indicator !== `${tenantOrigin()}/api`) ?? []
  const application = able.find(({ id }) => id === applicationId) ?? able[0]
  const resource = apis.find(({ id }) => id === resourceId) ?? apis[0]
  const names = resource?.scopes?.map((scope) => scope.name) ?? []
  const put = (name: string, isAsked: boolean) => {
    const next = new Set(left)
    isAsked ? next.delete(name) : next.add(name)
    setLeft(next)
  }
  const title = t('actAs.title', { name: titleOf(user) })
  if (create.data && resource)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={title}
        description={t('acting.made', { time: time(create.data.expiresAt) })}
        shape="wide"
      >
        <Made made={create.data} indicator={resource.indicator} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </div>
      </Dialog>
    )
  if (!applications || !resources)
    return (
      <Dialog isOpen onClose={onClose} title={title} description={t('acting.text')} shape="wide">
        <Loading lines={3} />
      </Dialog>
    )
  if (!application || !resource)
    return (
      <Dialog isOpen onClose={onClose} title={title} description={t('acting.text')} shape="wide">
        <p className="text-soft">{t(application ? 'actAs.noApi' : 'actAs.noApplication')}</p>
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={title} description={t('acting.text')} shape="wide">
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const chosen = names.filter((name) => !left.has(name))
          const scope = chosen.length === names.length ? {} : { scope: chosen.join(' ') }
          const where = { applicationId: application.id, resourceId: resource.id }
          create.mutate({ body: { userId: user.id, reason: reason.trim(), ...where, ...scope } })
        }}
      >
        <Field
          name="reason"
          label={t('actAs.reason')}
          value={reason}
          onChange={setReason}
          hint={t('actAs.reasonHint')}
          rows={2}
        />
        <div className="flex flex-wrap gap-4">
          <SelectField
            label={t('actAs.application')}
            value={application.id}
            choices={able.map(({ id, name }) => [id, name])}
            onChange={setApplication}
          />
          <SelectField
            label={t('actAs.api')}
            value={resource.id}
            choices={apis.map(({ id, name }) => [id, name])}
            onChange={setResource}
          />
        </div>
        {names.length > 0 && (
          <fieldset>
            <legend className="font-medium">{t('acting.permissions')}</legend>
            <p className="mb-1 text-soft text-xs">{t('acting.permissionsHint')}</p>
            {names.map((name) => (
              <CheckRow key={name} label={name} isOn={!left.has(name)} onChange={(isOn) => put(name, isOn)} />
            ))}
          </fieldset>
        )}
        {create.error && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={create.isPending} disabled={reason.trim() === ''}>
            {t('acting.begin')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The button, and the dialog that it opens; nothing for those who may not. */
export const ActAs = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const [isOpen, setOpen] = useState(false)
  if (!may('createImpersonation', 'listApplications', 'listResources') || user.isSuspended) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <VenetianMask size={15} aria-hidden />
        {t('actAs.button')}
      </Button>
      {isOpen && <ActAsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}
