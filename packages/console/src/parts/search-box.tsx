/** A search that follows the typing: after a short pause, so that not every letter asks the server. */
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

const PAUSE_MS = 200

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (value: string) => void
  /** For a second one beside the first. */
  readonly isNarrow?: boolean
}

export const SearchBox = ({ label, value, onSearch, isNarrow = false }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onSearch(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <div className={`relative w-full ${isNarrow ? 'md:w-48' : 'md:w-80'}`}>
      <Search
        size={15}
        aria-hidden
        className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-soft"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="h-8 w-full rounded-lg border border-edge bg-surface ps-9 pe-3 placeholder:text-soft max-md:h-10 max-md:text-base"
      />
    </div>
  )
}
