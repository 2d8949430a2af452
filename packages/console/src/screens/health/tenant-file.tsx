/** The configuration of the tenant as a file: to copy and keep, and another to compare with and to apply. */
import { Download, FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { Difference } from './difference.tsx'
import { NewCredentials } from './new-credentials.tsx'
import { Problems } from './problems.tsx'

const FILE = 'tenant.yaml'
const EMPTY = { text: '', prune: 'false' }
/** Has to be typed before a file is applied. */
const TYPED = 'apply'

/** The names of the variables in a file: `${NAME}`, and not `$${NAME}`. */
const variablesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name ?? '')),
]

const save = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE
  link.click()
  URL.revokeObjectURL(url)
}

const Present = () => {
  const { data, error, refetch } = useAnswer('exportTenant', {})
  return (
    <Card
      title={t('tenantFile.present')}
      text={t('tenantFile.presentText')}
      actions={
        data && (
          <Button onClick={() => save(data.text)}>
            <Download size={15} aria-hidden />
            {t('tenantFile.download')}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data ? (
        <div className="[&_pre]:max-h-96 [&_pre]:overflow-y-auto">
          <CodeBlock title={FILE} code={data.text} />
        </div>
      ) : (
        <Loading />
      )}
    </Card>
  )
}

/** A file is chosen, or pasted. */
const FileText = ({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <div className="mb-1 flex items-end gap-3">
        <label htmlFor={id} className="flex-1 font-medium">
          {t('tenantFile.text')}
        </label>
        <Button onClick={() => input.current?.click()}>
          <FileUp size={15} aria-hidden />
          {t('tenantFile.choose')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".yaml,.yml,.json"
          aria-label={t('tenantFile.choose')}
          className="hidden"
          onChange={async ({ target }) => {
            const [file] = target.files ?? []
            if (file) onChange(await file.text())
            target.value = ''
          }}
        />
      </div>
      <textarea
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        rows={12}
        spellCheck={false}
        placeholder={'roles:\n  - name: Support'}
        className={`${inputClass} font-mono text-xs`}
      />
    </div>
  )
}

export const TenantFile = () => {
  const { values, set, reset } = useForm('tenant-file', EMPTY)
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const compare = useChange('compareTenant')
  const apply = useChange('applyTenant')
  const names = variablesOf(values.text)
  const body = {
    text: values.text,
    prune: values.prune === 'true',
    ...(names.length > 0 ? { variables: Object.fromEntries(names.map((name) => [name, secrets[name] ?? ''])) } : {}),
  }
  // what was compared is what is applied: anything typed afterwards has to be compared again
  const compared = JSON.stringify(compare.variables?.body) === JSON.stringify(body) ? compare.data : undefined
  const isChange = compared?.changes.some(({ verb }) => verb !== 'keep') ?? false
  return (
    <>
      <Present />
      <Card title={t('tenantFile.apply')} text={t('tenantFile.applyText')}>
        <form
          className="space-y-5"
          onSubmit={(event) => {
            event.preventDefault()
            apply.reset()
            compare.mutate({ body })
          }}
        >
          <FileText value={values.text} onChange={(text) => set('text', text)} />
          {names.length > 0 && (
            <fieldset>
              <legend className="font-medium">{t('tenantFile.variables')}</legend>
              <p className="mb-3 text-soft">{t('tenantFile.variablesText')}</p>
              <div className="grid gap-4 sm:grid-cols-2">
                {names.map((name) => (
                  <Field
                    key={name}
                    name={name}
                    type="password"
                    label={name}
                    value={secrets[name] ?? ''}
                    onChange={(value) => setSecrets((before) => ({ ...before, [name]: value }))}
                  />
                ))}
              </div>
            </fieldset>
          )}
          <SwitchRow
            label={t('tenantFile.prune')}
            text={t('tenantFile.pruneText')}
            isOn={values.prune === 'true'}
            onChange={(isOn) => set('prune', String(isOn))}
          />
          <Problems error={compare.error} />
          {compared && <Difference changes={compared.changes} />}
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              look={isChange ? 'secondary' : 'primary'}
              disabled={values.text.trim() === ''}
              isBusy={compare.isPending}
            >
              {t('tenantFile.compare')}
            </Button>
            {isChange && (
              <Button look="primary" onClick={() => setAsking(true)}>
                {t('tenantFile.apply')}
              </Button>
            )}
            <ShowApiCall
              calls={[
                { id: 'compareTenant', input: { body: { text: values.text, prune: body.prune } } },
                { id: 'applyTenant', input: { body: { text: values.text, prune: body.prune } } },
              ]}
            />
          </div>
        </form>
        {apply.data && <NewCredentials applications={apply.data.applications} />}
      </Card>
      {isAsking && (
        <Confirm
          isOpen
          onClose={() => {
            setAsking(false)
            apply.reset()
          }}
          title={t('tenantFile.apply')}
          text={t('tenantFile.confirmText')}
          action={t('tenantFile.apply')}
          typed={TYPED}
          isBusy={apply.isPending}
          error={apply.error}
          onConfirm={() =>
            apply.mutate(
              { body },
              {
                onSuccess: () => {
                  setAsking(false)
                  setSecrets({})
                  compare.reset()
                  reset()
                  notify(t('tenantFile.applied'))
                },
              },
            )
          }
        />
      )}
    </>
  )
}
