/** The mark of the product, drawn in the document: an image of its own would be a document that the browser lays out apart. */
export const MarkIcon = ({ size }: { readonly size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
    <rect width="32" height="32" rx="8" fill="#3b4bd8" />
    <path d="M9 17l5 5 9-12" fill="none" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
