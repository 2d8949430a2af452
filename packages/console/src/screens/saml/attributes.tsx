/** Which claims of the user are in assertions, and what the application calls them. */
import { Trash2 } from 'lucide-react'
import { t } from '../../languages/languages.ts'
import { IconButton } from '../../parts/button.tsx'
import { inputClass } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { useSettings } from './card.ts'
import { CLAIMS, type Claim, type SamlApplication } from './settings.ts'

/** A line whose name was emptied is a line too. */
const EMPTY = ' '

export const Attributes = ({ application: { id, attributeMapping } }: { readonly application: SamlApplication }) => {
  const { values, set, card, save } = useSettings(
    id,
    'attributes',
    Object.fromEntries(CLAIMS.map((claim) => [claim, attributeMapping[claim] ?? ''])) as Record<Claim, string>,
  )
  const { isReadOnly } = card
  const mapped = CLAIMS.filter((claim) => values[claim] !== '')
  const submit = () =>
    save({
      attributeMapping: Object.fromEntries(
        mapped.flatMap((claim) => (values[claim].trim() ? [[claim, values[claim].trim()]] : [])),
      ),
    })
  return (
    <SettingsCard title={t('saml.attributes')} text={t('saml.attributesText')} {...card} onSubmit={submit}>
      {mapped.length === 0 && <p className="text-soft">{t('saml.noAttributes')}</p>}
      {mapped.length > 0 && (
        <ul aria-label={t('saml.attributes')} className="space-y-2">
          {mapped.map((claim) => (
            <li key={claim} className="flex items-center gap-2 max-sm:flex-wrap">
              <code className="w-48 shrink-0 truncate font-mono text-[0.8125rem] max-sm:w-full">{claim}</code>
              <input
                aria-label={t('saml.attributeOf', { claim })}
                value={values[claim].trim()}
                onChange={({ target }) => set(claim, target.value || EMPTY)}
                readOnly={isReadOnly}
                spellCheck={false}
                autoComplete="off"
                className={`${inputClass} min-w-0 flex-1 font-mono text-[0.8125rem]`}
              />
              {!isReadOnly && (
                <IconButton label={t('saml.removeAttribute', { claim })} onClick={() => set(claim, '')}>
                  <Trash2 size={16} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <Select
          label={t('saml.addAttribute')}
          value=""
          choices={[
            ['', t('saml.addAttribute')],
            ...CLAIMS.filter((claim) => values[claim] === '').map((claim) => [claim, claim] as const),
          ]}
          onChange={(claim) => claim && set(claim as Claim, claim)}
        />
      )}
    </SettingsCard>
  )
}
