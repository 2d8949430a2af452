/** What the application has to know about this server: metadata, or the values one by one, to copy. */
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { addressesOf, type SamlApplication } from './settings.ts'

export const SamlStart = ({
  application: { id, singleLogout, allowIdpInitiated },
}: {
  readonly application: SamlApplication
}) => {
  const { metadata, signOn, logout } = addressesOf(id)
  const { data: keys } = useAnswer('listSamlApplicationSecrets', { params: { id } }, may('listSamlApplicationSecrets'))
  const active = keys?.find((key) => key.active)
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 lg:grid-cols-2">
      <div>
        <Card title={t('saml.metadata')} text={t('saml.metadataText')}>
          <CopyField label={t('saml.metadataUrl')} value={metadata} />
        </Card>
        <Card title={t('saml.values')} text={t('saml.valuesText')}>
          <div className="space-y-3">
            <CopyField label={t('saml.idpEntityId')} value={metadata} />
            <CopyField label={t('saml.signOn')} value={signOn} />
            {singleLogout && <CopyField label={t('saml.logout')} value={logout} />}
            {allowIdpInitiated && <CopyField label={t('saml.startLink')} value={`${signOn}?RelayState=`} />}
          </div>
        </Card>
      </div>
      {keys && (
        <Card title={t('saml.certificate')} text={t(active ? 'saml.certificateText' : 'saml.noActive')}>
          {active && <CodeBlock title={t('saml.pem')} code={active.certificate} />}
        </Card>
      )}
    </div>
  )
}
