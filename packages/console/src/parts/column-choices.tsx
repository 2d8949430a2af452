/** Which columns of a list are shown, as a menu that is open from the start. */
import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { ColumnsLabel, columnsClass } from './columns-label.tsx'

interface ColumnChoice {
  readonly id: string
  readonly title: string
  readonly isShown: boolean
  /** Always shown. */
  readonly isFixed: boolean
}

export const ColumnChoices = ({
  choices,
  onChoose,
}: {
  readonly choices: readonly ColumnChoice[]
  readonly onChoose: (id: string, isShown: boolean) => void
}) => (
  <Menu.Root defaultOpen>
    <Menu.Trigger className={columnsClass}>
      <ColumnsLabel />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner sideOffset={4} align="end" className="z-50">
        <Menu.Popup className="min-w-48 rounded-xl border border-line bg-raised p-1 shadow-raised outline-none">
          {choices.map(({ id, title, isShown, isFixed }) => (
            <Menu.CheckboxItem
              key={id}
              checked={isShown}
              disabled={isFixed}
              onCheckedChange={(next) => onChoose(id, next)}
              className="flex items-center gap-2 rounded-lg px-2 py-1.5 outline-none data-highlighted:bg-hover data-disabled:opacity-50"
            >
              <span className="flex size-4 items-center">
                <Menu.CheckboxItemIndicator>
                  <Check size={14} aria-hidden />
                </Menu.CheckboxItemIndicator>
              </span>
              {title}
            </Menu.CheckboxItem>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
