/** What is in the administrator's own menu, open from the start: theme, language, account, sign-out. */
import { Menu } from '@base-ui/react/menu'
import { Check, CircleUser, LogOut } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, t } from '../languages/languages.ts'
import { tenantOrigin } from '../session/place.ts'
import { signOut } from '../session/session.ts'
import { AccountLabel, accountClass } from './account-menu.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const itemClass =
  'flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-start outline-none data-highlighted:bg-hover max-md:py-2.5'

const Choices = <Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [value: Value, title: ReactNode])[]
  readonly onChoose: (value: Value) => void
}) => (
  <Menu.Group>
    <Menu.GroupLabel className="px-2 pt-2 pb-1 font-medium text-soft text-xs">{label}</Menu.GroupLabel>
    <Menu.RadioGroup value={value} onValueChange={(next) => onChoose(next as Value)}>
      {choices.map(([each, title]) => (
        <Menu.RadioItem key={each} value={each} className={itemClass}>
          <span className="flex size-4 items-center">
            <Menu.RadioItemIndicator>
              <Check size={14} aria-hidden />
            </Menu.RadioItemIndicator>
          </span>
          {title}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </Menu.Group>
)

export const AccountChoices = () => {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={accountClass}>
        <AccountLabel />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="start" className="z-50">
          <Menu.Popup className="max-h-[min(34rem,80dvh)] w-56 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-raised outline-none">
            <Menu.LinkItem href={`${tenantOrigin()}/account`} className={itemClass}>
              <CircleUser size={15} aria-hidden />
              {t('menu.account')}
            </Menu.LinkItem>
            <Choices<Theme>
              label={t('menu.theme')}
              value={theme}
              choices={[
                ['system', t('theme.system')],
                ['light', t('theme.light')],
                ['dark', t('theme.dark')],
              ]}
              onChoose={(next) => {
                chooseTheme(next)
                setTheme(next)
              }}
            />
            <Choices<Language>
              label={t('menu.language')}
              value={currentLanguage()}
              choices={(Object.keys(LANGUAGES) as Language[]).map((tag) => [
                tag,
                <span key={tag} lang={tag}>
                  {LANGUAGES[tag]}
                </span>,
              ])}
              onChoose={chooseLanguage}
            />
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.Item className={itemClass} onClick={() => void signOut()}>
              <LogOut size={15} aria-hidden />
              {t('menu.signOut')}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
