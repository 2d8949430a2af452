/** Buttons, and links that look like them: primary, quiet, and for what cannot be undone. */
import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type Look = 'primary' | 'secondary' | 'ghost' | 'danger' | 'warning'

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent-fill text-on-accent hover:bg-accent-hover border-transparent shadow-xs',
  secondary: 'bg-surface text-ink border-edge hover:bg-hover shadow-xs',
  ghost: 'bg-transparent text-ink border-transparent hover:bg-hover',
  /** Leads to what cannot be undone, and does not do it yet. */
  warning: 'bg-surface text-bad border-edge hover:bg-bad-tint shadow-xs',
  danger: 'bg-bad-fill text-on-accent border-transparent hover:opacity-90 shadow-xs',
}

/** The classes of a button, for links and for the triggers of other components. */
export const buttonClass = (look: Look = 'secondary', more = ''): string =>
  `inline-flex h-8 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-lg border px-3 font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-50 max-md:h-10 ${LOOKS[look]} ${more}`

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  /** What it does goes on: it says so, and cannot be pressed again. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

export const Button = ({
  look = 'secondary',
  isBusy = false,
  className = '',
  children,
  disabled,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    aria-busy={isBusy || undefined}
    disabled={disabled || isBusy}
    className={buttonClass(look, className)}
  >
    {isBusy && <Spinner />}
    {children}
  </button>
)

export const Spinner = () => (
  <span aria-hidden className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent" />
)

/** A button that is only an icon. @param label what it does, for screen readers and as its title */
export const IconButton = ({
  label,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly label: string }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...rest}
    className={`inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft transition-colors hover:bg-hover hover:text-ink max-md:size-10 ${className}`}
  >
    {children}
  </button>
)
