/**
 * Sentences about authorization details, in the languages of users: `Pay {instructedAmount.amount} {instructedAmount.currency} to
 * {creditorName}`. A placeholder names a member, or a member of a member; what it stands for is told apart from the sentence
 * wherever it is shown, so that a value cannot pass as words of the tenant.
 */

/** A part of a sentence: words, or the value of a member, undefined if the detail does not have it. */
export type DetailPart = { readonly words: string } | { readonly value: string | undefined }

const PLACEHOLDER = /\{([A-Za-z_$@][\w$@-]*(?:\.[\w$@-]+)*)\}/g

/** Whether every brace of a template belongs to a placeholder. */
export const isTemplate = (template: string): boolean => !/[{}]/.test(template.replaceAll(PLACEHOLDER, ''))

const memberAt = (detail: unknown, path: string): unknown => {
  let value = detail
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** A value in words: a list of simple values with commas; an object as its JSON, so that nothing of it is left out. */
export const detailText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return String(value)
  const isSimple = Array.isArray(value) && value.every((each) => typeof each !== 'object')
  return isSimple ? value.join(', ') : JSON.stringify(value)
}

/** The sentence of a template about a detail. @param template one that isTemplate has accepted */
export const detailSentence = (template: string, detail: unknown): readonly DetailPart[] => {
  const parts: DetailPart[] = []
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ words: template.slice(end, match.index) })
    parts.push({ value: detailText(memberAt(detail, match[1] ?? '')) })
    end = match.index + match[0].length
  }
  if (end < template.length) parts.push({ words: template.slice(end) })
  return parts
}

/** The template for a language, or for the language without its region, or in English, or the first; undefined if there is none. */
export const templateFor = (templates: Readonly<Record<string, string>>, language: string): string | undefined => {
  const byTag = new Map(Object.entries(templates).map(([tag, text]) => [tag.toLowerCase(), text]))
  const wanted = language.toLowerCase()
  return byTag.get(wanted) ?? byTag.get(wanted.split('-')[0] ?? '') ?? byTag.get('en') ?? [...byTag.values()][0]
}
