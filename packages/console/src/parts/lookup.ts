/** What a list is searched for and which page of it is shown: both are in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** For the screen that is open; what else its address says stays. A new search begins at the first page. */
export const useLookup = () => {
  const { search = '', page = 1 } = useSearch({ strict: false })
  const navigate = useNavigate()
  const onSearch = useCallback(
    (next: string) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, search: next || undefined, page: undefined })) as never,
        replace: true,
      }),
    [navigate],
  )
  const onPage = (next: number) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, page: next })) as never })
  return { search, page, onSearch, onPage }
}
