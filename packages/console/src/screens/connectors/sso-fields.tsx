/** The fields of an SSO connector: its name, the domains of the company, and the configuration of the identity provider. */
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { ConfigFields } from './config-fields.tsx'
import type { useConfigForm } from './config-form.ts'
import { isAtField } from './config-schema.ts'

interface SsoFieldsProps {
  readonly schema: object
  readonly form: ReturnType<typeof useConfigForm>
  readonly error: unknown
}

/** One to a line, or with commas or spaces between them. */
export const domainsOf = (text: string): string[] => text.split(/[\s,]+/).filter((domain) => domain !== '')

export const SsoFields = ({ schema, form, error }: SsoFieldsProps) => {
  const nameError = errorAt(error, 'connectorName', 'single_sign_on.duplicate_connector_name')
  const domainsError = errorAt(
    error,
    'domains',
    'single_sign_on.duplicated_domains',
    'single_sign_on.forbidden_domains',
    'single_sign_on.invalid_domain_format',
  )
  return (
    <>
      <Field
        name="connectorName"
        label={t('applications.name')}
        value={form.valueOf('connectorName')}
        onChange={(name) => form.set('connectorName', name)}
        error={nameError}
        placeholder="Acme"
        isRequired
      />
      <Field
        name="domains"
        label={t('connectors.domains')}
        value={form.valueOf('domains')}
        onChange={(domains) => form.set('domains', domains)}
        hint={t('connectors.domainsHint')}
        error={domainsError}
        placeholder="acme.example"
        rows={2}
        isMonospace
      />
      <ConfigFields schema={schema} values={form.values} set={form.set} error={error} wrong={form.wrong} />
      {error !== null &&
        error !== undefined &&
        nameError === undefined &&
        domainsError === undefined &&
        !isAtField(schema, error) && <ErrorState error={error} />}
    </>
  )
}
