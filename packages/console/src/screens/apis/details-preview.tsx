/** What users read on the consent page, in one language: the sentence as it is typed, with values that the schema gives. */
import { detailSentence, isTemplate, templateFor } from '@countersign/contract/details-template.ts'
import { t } from '../../languages/languages.ts'
import { sampleOf } from './details-sample.ts'

interface DetailsPreviewProps {
  readonly type: string
  readonly description: string
  /** Undefined while it is no JSON object. */
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly templates: Readonly<Record<string, string>>
  readonly language: string
}

const PLACEHOLDER = /\{([^{}]+)\}/g

export const DetailsPreview = ({ type, description, schema = {}, templates, language }: DetailsPreviewProps) => {
  const usable = Object.fromEntries(Object.entries(templates).filter(([, text]) => isTemplate(text)))
  const template = templateFor(usable, language)
  const parts = template === undefined ? [] : detailSentence(template, sampleOf(schema, type))
  const names = [...(template ?? '').matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  // the values are in the order of the placeholders
  const values = parts.flatMap((part) => ('value' in part ? [part.value] : []))
  const unknown = names.filter((_name, index) => values[index] === undefined)
  return (
    <section aria-label={t('details.preview')} className="rounded-xl bg-sunken p-4">
      <p className="mb-1 text-soft text-xs">{t('details.preview')}</p>
      <p className="wrap-anywhere" dir="auto" lang={language}>
        {template === undefined
          ? description || type || '–'
          : parts.map((part, index) =>
              'words' in part ? (
                part.words
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name
                <strong key={index}>
                  <bdi>{part.value ?? '–'}</bdi>
                </strong>
              ),
            )}
      </p>
      <p className="mt-2 text-soft text-xs">{t('details.previewText')}</p>
      {unknown.length > 0 && (
        <p className="wrap-anywhere mt-1 text-warn text-xs">{t('details.unknown', { names: unknown.join(', ') })}</p>
      )}
    </section>
  )
}
