/** The settings of a client that the server replaces as a whole: what a form does not own stays. */
import type { Application } from './kinds.ts'

type Metadata = Application['customClientMetadata']

/** @param changed undefined takes a setting away */
export const metadataWith = (
  { customClientMetadata }: Application,
  changed: { readonly [Name in keyof Metadata]?: Metadata[Name] | undefined },
): Metadata =>
  Object.fromEntries(
    Object.entries({ ...customClientMetadata, ...changed }).filter(([, value]) => value !== undefined),
  ) as Metadata
