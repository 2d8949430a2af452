/** A word with a colour: the state or kind of a thing. The word says it all; the colour only helps. */
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const TONES: Readonly<Record<Tone, string>> = {
  plain: 'bg-hover text-soft',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  accent: 'bg-accent-tint text-accent',
}

export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span
    className={`inline-flex items-center whitespace-nowrap rounded-md px-1.5 py-0.5 font-medium text-xs ${TONES[tone]}`}
  >
    {children}
  </span>
)
