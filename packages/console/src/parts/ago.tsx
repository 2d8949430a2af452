/** How long ago something was; the whole time shows where the pointer is, because its format is dear to make and few look. */
import { ago, moment } from '../languages/formats.ts'

/** @param at milliseconds since 1970 */
export const Ago = ({ at, className = '' }: { readonly at: number; readonly className?: string }) => (
  <time
    dateTime={new Date(at).toISOString()}
    onPointerEnter={({ currentTarget }) => {
      currentTarget.title = moment(at)
    }}
    className={`whitespace-nowrap text-soft ${className}`}
  >
    {ago(at)}
  </time>
)
