/** Code to read and to copy. */
import { CopyButton } from './copy-field.tsx'

export const CodeBlock = ({ title, code }: { readonly title: string; readonly code: string }) => (
  <figure className="overflow-hidden rounded-xl border border-line bg-sunken">
    <figcaption className="flex items-center border-line border-b ps-4 pe-1 font-medium text-soft text-xs">
      <span className="flex-1 truncate">{title}</span>
      <CopyButton value={code} label={title} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard */}
    <pre tabIndex={0} className="overflow-x-auto p-4 font-mono text-xs leading-relaxed">
      {code}
    </pre>
  </figure>
)
