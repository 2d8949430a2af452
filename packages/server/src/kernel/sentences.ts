/** Sentences of catalogues, whose places are in braces. */

/** The sentence with its places filled; one without a value becomes empty. What a value contains is no place. */
export const filled = (sentence: string, values: Readonly<Record<string, unknown>> | undefined): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values?.[name] ?? ''))
