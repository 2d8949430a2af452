/** A user's picture, or the first letter of the name. */

/** The first letter or digit: not a mark, and not what only sets the direction of what follows. */
const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0] ?? [...name][0] ?? ''

export const Avatar = ({
  name,
  picture,
  isLarge = false,
}: {
  readonly name: string
  readonly picture: string | null
  readonly isLarge?: boolean
}) => {
  const size = isLarge ? 'size-12 text-lg' : 'size-7 text-xs'
  return picture ? (
    <img
      src={picture}
      alt=""
      loading="lazy"
      referrerPolicy="no-referrer"
      className={`shrink-0 rounded-full bg-hover object-cover ${size}`}
    />
  ) : (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-full bg-accent-tint font-semibold text-accent uppercase ${size}`}
    >
      {initialOf(name)}
    </span>
  )
}
