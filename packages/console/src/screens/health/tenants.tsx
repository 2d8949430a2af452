/** The tenants of the installation, for administrators of the default one who may do everything. */
import { ExternalLink } from 'lucide-react'
import { t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import type { Health } from './findings.ts'

type Listed = NonNullable<NonNullable<Health['installation']>['tenants']>

export const Tenants = ({ tenants }: { readonly tenants: Listed }) => (
  <Card title={t('health.tenants')} text={t('health.tenantsText')}>
    <ul aria-label={t('health.tenants')}>
      {tenants.map(({ id, name, issuer, console: address }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line py-2 not-last:border-b">
          <div className="min-w-0 flex-1 basis-56">
            <p className="wrap-anywhere font-medium">{name}</p>
            <p className="wrap-anywhere font-mono text-soft text-xs">{issuer}</p>
          </div>
          {address !== null && (
            <a
              href={address}
              target="_blank"
              rel="noreferrer"
              aria-label={`${t('health.openConsole')}: ${name}`}
              className="inline-flex items-center gap-1 rounded text-accent hover:underline"
            >
              {t('health.openConsole')}
              <ExternalLink size={14} aria-hidden />
            </a>
          )}
        </li>
      ))}
    </ul>
  </Card>
)
