/** The tabs of a screen; which one is open is in its address. */
import { Tabs } from '@base-ui/react/tabs'

export const TabList = ({ tabs }: { readonly tabs: readonly (readonly [value: string, title: string])[] }) => (
  <Tabs.List className="mb-5 flex gap-1 overflow-x-auto border-line border-b">
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
