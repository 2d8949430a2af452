/** What an entry concerned, with a link to it, and what changed in it. */
import { Link } from '@tanstack/react-router'
import { t } from '../../languages/languages.ts'
import type { Entry } from './words.ts'

type Entity = NonNullable<Entry['payload']['entities']>[number]

const SCREENS = { user: '/users/$id', application: '/applications/$id' } as const
const hasScreen = (type: string): type is keyof typeof SCREENS => Object.hasOwn(SCREENS, type)

const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

const Changed = ({ before = {}, after = {} }: Pick<Entity, 'before' | 'after'>) => (
  <dl className="mt-1 space-y-1 text-xs">
    {Object.keys(after).map((field) => (
      <div key={field} className="flex flex-wrap gap-x-2">
        <dt className="font-medium">{field}</dt>
        <dd className="wrap-anywhere font-mono">
          <del className="text-bad">{shown((before as Readonly<Record<string, unknown>>)[field])}</del>
          {' → '}
          <ins className="text-good no-underline">{shown((after as Readonly<Record<string, unknown>>)[field])}</ins>
        </dd>
      </div>
    ))}
  </dl>
)

/** @param userName the name of a user, where it is known */
export const Changes = ({
  entities,
  userName,
  onLeave,
}: {
  readonly entities: readonly Entity[]
  readonly userName: (id: string) => string | undefined
  readonly onLeave: () => void
}) => (
  <section>
    <h3 className="mb-1 font-semibold">{t('log.entities')}</h3>
    <ul className="rounded-xl border border-line">
      {entities.map((entity) => {
        const { id, type } = entity
        const { name = (type === 'user' ? userName(id) : undefined) ?? id } = entity as { readonly name?: string }
        return (
          <li key={`${type} ${id}`} className="border-line px-3 py-2 not-last:border-b">
            <span className="text-soft">{type} </span>
            {hasScreen(type) ? (
              <Link
                to={SCREENS[type]}
                params={{ id }}
                onClick={onLeave}
                className="wrap-anywhere font-medium text-accent hover:underline"
              >
                {name}
              </Link>
            ) : (
              <span className="wrap-anywhere font-medium">{name}</span>
            )}
            {entity.after && <Changed {...entity} />}
          </li>
        )
      })}
    </ul>
  </section>
)
