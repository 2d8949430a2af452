/** A style sheet for pages, in an editor: the preview beside it shows what it does. */
import { lazy, Suspense } from 'react'
import { t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import { useReadOnly } from '../../parts/read-only.ts'
import { Loading } from '../../parts/states.tsx'
import type { Section } from './section.ts'

/** The editor is as large as the rest of the screen. */
const CodeEditor = lazy(async () => ({ default: (await import('../../parts/code-editor.tsx')).CodeEditor }))

interface StyleFieldProps {
  readonly value: string
  readonly onChange: (css: string) => void
  readonly error: string | undefined
  readonly isReadOnly?: boolean
}

const StyleField = ({ value, onChange, error, isReadOnly }: StyleFieldProps) => (
  <>
    <Suspense fallback={<Loading />}>
      <CodeEditor
        label={t('signIn.customCss')}
        value={value}
        onChange={onChange}
        language="css"
        isReadOnly={useReadOnly(isReadOnly)}
      />
    </Suspense>
    {error !== undefined && (
      <p role="alert" className="mt-1 text-bad text-xs">
        {error}
      </p>
    )}
  </>
)

/** The same in a form, with what it is for. */
export const StyleSheet = (props: StyleFieldProps) => (
  <div>
    <div aria-hidden className="font-medium">
      {t('signIn.customCss')}
    </div>
    <p className="mb-2 text-soft text-xs">{t('look.customCssText')}</p>
    <StyleField {...props} />
  </div>
)

export const StyleCard = ({ values, set, errorOf }: Section) => (
  <Card title={t('signIn.customCss')} text={t('signIn.customCssText')}>
    <StyleField value={values.customCss ?? ''} onChange={(css) => set('customCss', css)} error={errorOf('customCss')} />
  </Card>
)
