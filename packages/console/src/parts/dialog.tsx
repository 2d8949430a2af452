/** Dialogs: in the middle of the window, or a drawer at its end. Focus stays inside; Escape closes. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  /** A drawer takes the height of the window; wide is for forms with much in them. */
  readonly shape?: 'middle' | 'wide' | 'drawer'
  readonly children: ReactNode
}

const SHAPES = {
  middle: 'top-[12vh] inset-x-4 mx-auto max-w-md rounded-2xl max-h-[80vh]',
  wide: 'top-[8vh] inset-x-4 mx-auto max-w-2xl rounded-2xl max-h-[86vh]',
  drawer: 'inset-y-0 end-0 w-full max-w-xl sm:rounded-s-2xl',
} as const

export const Dialog = ({ isOpen, onClose, title, description, shape = 'middle', children }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup
        className={`fixed z-50 flex flex-col border border-line bg-raised shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 ${SHAPES[shape]}`}
      >
        <div className="flex items-start gap-2 px-6 pt-5">
          <div className="min-w-0 flex-1">
            <Base.Title className="font-semibold text-base">{title}</Base.Title>
            {description && <Base.Description className="mt-1 text-soft">{description}</Base.Description>}
          </div>
          <Base.Close render={<IconButton label={t('action.close')} className="-me-2" />}>
            <X size={16} />
          </Base.Close>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-4 pb-6">{children}</div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
