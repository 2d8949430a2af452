/** How permissions are pasted: one to a line, the name first, then what it allows. */

export interface Line {
  readonly name: string
  readonly description: string
}

/** Marks of lists and quotes around a name are left out, as are names that were there before. */
export const linesOf = (text: string): Line[] => {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, description = ''] = /^[\s\-*•]*["'`]?([^\s"'`,;]+)["'`]?[\s,;]*(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, description: description.trim() }]
  })
  return [...new Map(lines.toReversed().map((line) => [line.name, line])).values()].toReversed()
}

/** The lines as they were pasted. */
export const textOf = (lines: readonly Line[]): string =>
  lines.map(({ name, description }) => `${name} ${description}`.trim()).join('\n')
