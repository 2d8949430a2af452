/** The button that leads to the choice of columns. */
import { Columns3 } from 'lucide-react'
import { t } from '../languages/languages.ts'
import { buttonClass } from './button.tsx'

export const columnsClass = buttonClass('secondary', 'ms-auto max-md:hidden')

export const ColumnsLabel = () => (
  <>
    <Columns3 size={15} aria-hidden />
    {t('table.columns')}
  </>
)
