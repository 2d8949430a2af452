/** One type of authorization details, or a new one: its schema, what users read about it, its end. */
import { ChevronLeft } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { type Answer, may, useAll, useAnswer, useChange } from '../../api/client.ts'
import { currentLanguage, LANGUAGES, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { DetailsPreview } from './details-preview.tsx'
import { brokenSentences, schemaOf, templatesOf, valuesOf, withSentence } from './details-values.ts'

/** The editor is as large as the rest of the screen. */
const CodeEditor = lazy(async () => ({ default: (await import('../../parts/code-editor.tsx')).CodeEditor }))

type DetailsType = Answer<'getAuthorizationDetailsType'>
const EXAMPLE = '{creditorName}'

interface FormProps {
  readonly resourceId: string
  /** Undefined: a new one. */
  readonly stored: DetailsType | undefined
  /** The API has fixed types, or the administrator may not change them. */
  readonly isReadOnly: boolean
  readonly onAdded: (id: string) => void
}

const TypeForm = ({ resourceId, stored, isReadOnly, onAdded }: FormProps) => {
  const form = useForm(`api.${resourceId}.details.${stored?.id ?? 'new'}`, valuesOf(stored))
  const { values, set, reset } = form
  const [language, setLanguage] = useState<string>(currentLanguage())
  const [isRefused, refuse] = useState(false)
  const create = useChange('createAuthorizationDetailsType')
  const update = useChange('updateAuthorizationDetailsType')
  const change = stored ? update : create
  const { schema, refusal } = schemaOf(values.schema)
  const templates = templatesOf(values.templates)
  const broken = brokenSentences(templates)
  const others = Object.keys(templates).filter((tag) => !Object.hasOwn(LANGUAGES, tag))
  const type = stored?.type ?? values.type.trim()
  const typeError = errorAt(create.error, 'type', 'authorization_details.type_exists')
  const schemaError = isRefused && refusal !== undefined ? refusal : undefined
  const refusedDescription = errorAt(change.error, 'description')
  const refusedSentence = errorAt(change.error, 'templates', 'authorization_details.invalid_template')
  const refusedSchema = errorAt(change.error, 'schema', 'authorization_details.invalid_schema')
  const sentenceError = broken.includes(language) ? t('details.badBraces', { example: EXAMPLE }) : undefined
  const submit = () => {
    refuse(schema === undefined || (!stored && type === ''))
    const [wrong] = broken
    if (wrong !== undefined) setLanguage(wrong)
    if (schema === undefined || wrong !== undefined || type === '') return
    const body = { schema, description: values.description.trim() || null, templates }
    if (stored)
      return update.mutate(
        { params: { resourceId, typeId: stored.id }, body },
        {
          onSuccess: () => {
            reset()
            notify(t('form.saved'))
          },
        },
      )
    create.mutate(
      { params: { resourceId }, body: { type, ...body } },
      {
        onSuccess: ({ id }) => {
          reset()
          notify(t('details.added', { type }))
          onAdded(id)
        },
      },
    )
  }
  return (
    <SettingsCard
      title={stored ? stored.type : t('details.add')}
      {...(stored ? { text: t('details.typeText') } : {})}
      form={form}
      change={change}
      isPlaced={(typeError ?? refusedSchema ?? refusedDescription ?? refusedSentence) !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      {!stored && (
        <Field
          name="type"
          label={t('details.type')}
          hint={t('details.typeHint')}
          value={values.type}
          onChange={(next) => set('type', next)}
          error={typeError ?? (isRefused && type === '' ? t('form.required') : undefined)}
          placeholder="payment_initiation"
          isRequired
          isMonospace
        />
      )}
      <Field
        name="description"
        label={t('details.description')}
        hint={t('details.descriptionHint')}
        value={values.description}
        onChange={(next) => set('description', next)}
        error={refusedDescription}
      />
      <div>
        <div aria-hidden className="mb-1 font-medium">
          {t('details.schema')}
        </div>
        <Suspense fallback={<Loading />}>
          <CodeEditor
            label={t('details.schema')}
            value={values.schema}
            onChange={(next) => set('schema', next)}
            isReadOnly={isReadOnly}
          />
        </Suspense>
        <p className="mt-1 text-soft text-xs">{t('details.schemaHint')}</p>
        {(schemaError ?? refusedSchema) && (
          <p role="alert" className="wrap-anywhere mt-1 text-bad text-xs">
            {schemaError ?? refusedSchema}
          </p>
        )}
      </div>
      <SelectField
        label={t('menu.language')}
        value={language}
        choices={[...Object.entries(LANGUAGES), ...others.map((tag) => [tag, tag] as const)].map(([tag, title]) => [
          tag,
          Object.hasOwn(templates, tag) ? `${title} •` : title,
        ])}
        onChange={setLanguage}
        isReadOnly={false}
      />
      <Field
        key={language}
        name="sentence"
        label={t('details.sentence')}
        hint={t('details.sentenceHint', { example: EXAMPLE })}
        value={templates[language] ?? ''}
        onChange={(next) => set('templates', withSentence(values.templates, language, next))}
        error={sentenceError ?? refusedSentence}
        rows={2}
      />
      <DetailsPreview
        type={type}
        description={values.description}
        schema={schema}
        templates={templates}
        language={language}
      />
    </SettingsCard>
  )
}

/** Which applications ask for a type, before it goes. */
const AskedBy = ({ type }: { readonly type: string }) => {
  const { data, error } = useAll('listApplications')
  if (!may('listApplications')) return null
  if (error) return <ErrorState error={error} />
  if (!data) return <Loading lines={1} />
  const names = data
    .filter(({ customClientMetadata }) => customClientMetadata.authorizationDetailsTypes?.includes(type))
    .map(({ name }) => name)
  return (
    <p className="wrap-anywhere">
      {names.length > 0 ? t('details.askedBy', { names: names.join(', ') }) : t('details.askedByNone')}
    </p>
  )
}

interface DetailsTypeProps {
  readonly resourceId: string
  /** `new`, or an id. */
  readonly typeId: string
  /** The API is that of the server. */
  readonly isFixed: boolean
  /** To the list, or to the type that was added. */
  readonly go: (typeId: string | undefined) => void
}

export const DetailsType = ({ resourceId, typeId, isFixed, go }: DetailsTypeProps) => {
  const isNew = typeId === 'new'
  const params = { resourceId, typeId }
  const { data: stored, error, refetch } = useAnswer('getAuthorizationDetailsType', { params }, !isNew)
  const remove = useChange('deleteAuthorizationDetailsType')
  const mayChange = !isFixed && may(isNew ? 'createAuthorizationDetailsType' : 'updateAuthorizationDetailsType')
  return (
    <>
      <Button look="ghost" className="-ms-3 mb-2" onClick={() => go(undefined)}>
        <ChevronLeft size={15} aria-hidden className="rtl:rotate-180" />
        {t('details.all')}
      </Button>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : isNew || stored ? (
        <TypeForm key={typeId} resourceId={resourceId} stored={stored} isReadOnly={!mayChange} onAdded={go} />
      ) : (
        <Loading />
      )}
      {stored && !isFixed && may('deleteAuthorizationDetailsType') && (
        <DeleteCard
          title={t('details.delete')}
          text={t('details.deleteText')}
          name={stored.type}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params },
              {
                onSuccess: () => {
                  notify(t('details.deleted', { type: stored.type }))
                  go(undefined)
                },
              },
            )
          }
        >
          <AskedBy type={stored.type} />
        </DeleteCard>
      )}
    </>
  )
}
