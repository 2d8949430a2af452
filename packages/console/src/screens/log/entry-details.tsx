/** Everything about one log entry: why, which scopes were left out, what it concerned, and the entry as the API shows it. */
import { Link } from '@tanstack/react-router'
import { may } from '../../api/client.ts'
import { moment } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { reasonText } from '../../parts/token-reason.ts'
import { Changes } from './changes.tsx'
import { useNames } from './names.ts'
import { useUserNames } from './user-names.ts'
import { CONSOLE_ID, droppedOf, type Entry, factsOf, isRefused, keyInWords, reasonOf } from './words.ts'

const LINK = 'text-accent hover:underline'

const Called = ({ name, id }: { readonly name: string | undefined; readonly id: string }) =>
  name === undefined || name === id ? (
    id
  ) : (
    <>
      <span className="font-sans text-sm">{name}</span> <span className="text-soft">{id}</span>
    </>
  )

/** A value, with a link to what it names: the user, the application, the other entries of the request. @param called its name, where it is known */
const Fact = ({
  name,
  value,
  called,
  onLeave,
}: {
  readonly name: Phrase
  readonly value: string
  readonly called: string | undefined
  readonly onLeave: () => void
}) => {
  if (name === 'log.user' && may('getUser'))
    return (
      <Link to="/users/$id" params={{ id: value }} onClick={onLeave} className={LINK}>
        <Called name={called} id={value} />
      </Link>
    )
  if (name === 'log.application' && value !== CONSOLE_ID && may('getApplication'))
    return (
      <Link to="/applications/$id" params={{ id: value }} onClick={onLeave} className={LINK}>
        <Called name={called} id={value} />
      </Link>
    )
  if (name === 'log.request')
    return (
      <Link to="/log" search={{ request: value }} onClick={onLeave} title={t('log.sameRequest')} className={LINK}>
        {value}
      </Link>
    )
  return <Called name={called} id={value} />
}

export const EntryDetails = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => {
  const { userId, entities = [] } = entry.payload
  const concerned = entities.filter(({ type }) => type === 'user').map(({ id }) => id)
  const userName = useUserNames([...(userId === undefined ? [] : [userId]), ...concerned])
  const applicationName = useNames()
  const calledOf = (name: Phrase, value: string): string | undefined => {
    if (name === 'log.user') return userName(value)
    return name === 'log.application' ? applicationName(value) : undefined
  }
  const dropped = droppedOf(entry)
  const reason = reasonOf(entry)
  return (
    <Dialog isOpen onClose={onClose} title={keyInWords(entry.key)} description={moment(entry.createdAt)} shape="drawer">
      <div className="space-y-5">
        {reason !== undefined && (
          <p className={`wrap-anywhere rounded-xl p-3 ${isRefused(entry) ? 'bg-bad-tint text-bad' : 'bg-hover'}`}>
            {isRefused(entry) ? t('log.because', { reason }) : reason}
          </p>
        )}
        {dropped.length > 0 && (
          <section>
            <h3 className="mb-1 font-semibold">{t('log.dropped')}</h3>
            <ul className="rounded-xl border border-line">
              {dropped.map(({ scope, why }) => (
                <li key={scope} className="border-line px-3 py-2 not-last:border-b">
                  <code className="wrap-anywhere font-medium font-mono text-xs">{scope}</code>
                  <p className="text-soft">{reasonText(why)}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
        {entry.payload.entities && <Changes entities={entry.payload.entities} userName={userName} onLeave={onClose} />}
        <dl className="rounded-xl border border-line">
          {factsOf(entry).map(([name, value]) => (
            <div key={name} className="flex items-center gap-3 border-line ps-3 pe-1 not-last:border-b">
              <dt className="w-28 shrink-0 py-2 text-soft">{t(name)}</dt>
              <dd className="wrap-anywhere min-w-0 flex-1 py-2 font-mono text-xs">
                <Fact name={name} value={value} called={calledOf(name, value)} onLeave={onClose} />
              </dd>
              <dd>
                <CopyButton value={value} label={t(name)} />
              </dd>
            </div>
          ))}
        </dl>
        <CodeBlock title={t('log.raw')} code={JSON.stringify(entry.payload, null, 2)} />
      </div>
    </Dialog>
  )
}
