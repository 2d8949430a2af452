/** A user's picture, or the first letter of the name. */

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
      {[...name][0]}
    </span>
  )
}
