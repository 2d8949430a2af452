/** The sections of a tenant file: the build puts them here, from the schema that `countersign apply` checks files by. */

export interface Section {
  readonly isList: boolean
  /** The members that it, or a row of it, has. */
  readonly members: readonly string[]
}

export const SECTIONS: Readonly<Record<string, Section>> = {}
