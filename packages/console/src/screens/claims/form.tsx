/** One claims script: the editor, the data that it is tested with, what came of the test, saved and deleted. */
import { lazy, Suspense, useState } from 'react'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { Outcome } from './outcome.tsx'
import { bodyOf, OBJECTS, objectOf, SECRET_FIELDS, type Token, valuesOf } from './script.ts'
import { maySubject, type Subject, SubjectFields, subjectOf } from './subject.tsx'
import { Versions } from './versions.tsx'

const CodeEditor = lazy(async () => ({ default: (await import('../../parts/code-editor.tsx')).CodeEditor }))

interface ScriptFormProps {
  readonly token: Token
  /** Undefined: there is none yet. */
  readonly stored: Answer<'getJwtCustomizer'> | undefined
}

export const ScriptForm = ({ token, stored }: ScriptFormProps) => {
  const { values, set, isChanged, reset } = useForm(`claims.${token}`, valuesOf(token, stored), SECRET_FIELDS)
  const put = useChange('putJwtCustomizer')
  const remove = useChange('deleteJwtCustomizer')
  const test = useChange('testJwtCustomizer')
  const [isChecked, setChecked] = useState(false)
  const [subject, setSubject] = useState<Subject>()
  const sent = subject && subjectOf(token, subject)
  const unreadable = OBJECTS.filter((name) => objectOf(values[name]) === undefined)
  const params = { tokenTypePath: token }
  const body = bodyOf(values)
  const isReadable = () => {
    setChecked(true)
    return unreadable.length === 0
  }
  const run = () => {
    if (!isReadable()) return
    const { script, environmentVariables = {}, tokenSample = {}, contextSample = {}, cpuLimit } = body
    test.mutate({
      query: { details: 'true' },
      body: {
        tokenType: token,
        script,
        environmentVariables,
        ...(sent ? { subject: sent } : { token: tokenSample, context: contextSample }),
        ...(cpuLimit === undefined ? {} : { cpuLimit }),
      },
    })
  }
  const errorOf = (name: (typeof OBJECTS)[number]) =>
    isChecked && unreadable.includes(name) ? t('claims.noObject') : errorAt(put.error, name)
  const cpuError = errorAt(put.error, 'cpuLimit')
  const isAtField = cpuError !== undefined || OBJECTS.some((name) => errorOf(name) !== undefined)
  return (
    <>
      <form
        noValidate
        className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[3fr_2fr]"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReadable()) return
          put.mutate(
            { params, body },
            {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            },
          )
        }}
      >
        <div className="min-w-0">
          <Suspense fallback={<Loading />}>
            <CodeEditor
              label={t('claims.script')}
              value={values.script}
              onChange={(script) => set('script', script)}
              sample={{
                token: objectOf(values.tokenSample) ?? {},
                context: objectOf(values.contextSample) ?? {},
                environmentVariables: objectOf(values.environmentVariables) ?? {},
                api: { denyAccess: true },
              }}
              isReadOnly={!may('putJwtCustomizer')}
            />
          </Suspense>
          <p className="mt-2 text-soft text-xs">{t(stored ? 'claims.hint' : 'claims.notYet')}</p>
          {put.error && !isAtField && <ErrorState error={put.error} />}
          <div className="mt-4">
            <SwitchRow
              label={t('claims.block')}
              text={t('claims.blockText')}
              isOn={values.blockIssuanceOnError === 'true'}
              onChange={(isOn) => set('blockIssuanceOnError', String(isOn))}
            />
          </div>
          <div className="mt-2 max-w-xs">
            <Field
              name="cpuLimit"
              type="number"
              label={t('claims.cpuLimit')}
              hint={t('claims.cpuLimitHint')}
              value={values.cpuLimit}
              onChange={(limit) => set('cpuLimit', limit)}
              error={cpuError}
            />
          </div>
          {may('putJwtCustomizer') && (
            <SaveBar isChanged={isChanged || !stored} isBusy={put.isPending} onDiscard={reset} />
          )}
        </div>
        <Card
          title={t('claims.test')}
          text={t('claims.testText')}
          actions={
            may('testJwtCustomizer') && (
              <Button onClick={run} isBusy={test.isPending} disabled={subject !== undefined && sent === undefined}>
                {t('claims.run')}
              </Button>
            )
          }
        >
          <div className="space-y-4">
            {maySubject() && <SubjectFields token={token} subject={subject} onChange={setSubject} />}
            <Outcome answer={test.data} error={test.error} />
            {OBJECTS.map((name) => (
              <Field
                key={name}
                name={name}
                label={t(`claims.${name}`)}
                hint={t(`claims.${name}.hint`)}
                value={values[name]}
                onChange={(next) => set(name, next)}
                error={errorOf(name)}
                rows={name === 'contextSample' ? 12 : 5}
                isMonospace
              />
            ))}
          </div>
        </Card>
      </form>
      <div className="mt-4">
        <Versions token={token} current={stored?.script} />
      </div>
      {stored && may('deleteJwtCustomizer') && (
        <DeleteCard
          title={t('claims.delete')}
          text={t('claims.deleteText')}
          name={token}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params },
              {
                onSuccess: () => {
                  reset()
                  notify(t('claims.deleted'))
                },
              },
            )
          }
        />
      )}
    </>
  )
}
