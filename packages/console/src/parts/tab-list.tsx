/** The tabs of a screen; which one is open is in its address. */
import { Tabs } from '@base-ui/react/tabs'
import { useEffect, useRef } from 'react'

/** Where there are more tabs than fit, the open one is brought into view: an address can open any of them. */
const useOpenInView = () => {
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef<Element>(undefined)
  useEffect(() => {
    const open = list.current?.querySelector('[data-active]')
    if (!list.current || !open || open === shown.current) return
    shown.current = open
    const [all, one] = [list.current.getBoundingClientRect(), open.getBoundingClientRect()]
    list.current.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2)
  })
  return list
}

export const TabList = ({ tabs }: { readonly tabs: readonly (readonly [value: string, title: string])[] }) => (
  <Tabs.List ref={useOpenInView()} className="mb-5 flex gap-1 overflow-x-auto border-line border-b">
    {tabs.map(([value, title]) => (
      <Tabs.Tab
        key={value}
        value={value}
        className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-soft -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink"
      >
        {title}
      </Tabs.Tab>
    ))}
  </Tabs.List>
)
