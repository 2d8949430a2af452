/** The logo of a provider, on a light ground, where all of them can be seen. */
import { Plug } from 'lucide-react'

export const Logo = ({ source }: { readonly source: string }) => (
  <span
    aria-hidden
    className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-on-accent"
  >
    {source ? <img src={source} alt="" className="size-5 object-contain" /> : <Plug size={18} className="text-soft" />}
  </span>
)
