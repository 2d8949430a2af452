/** Fields of profiles that a setting names, as one value of a form: all of them, those of the future too, or some. */
import type { Answer } from '../../../api/client.ts'

/** The value where all fields are meant; no field has this name. */
export const ALL_FIELDS = '*'

type Named = Answer<'getSignInExperience'>['signUpProfileFields']

/** As one value of a form. */
export const textOfFields = (named: Named): string => named?.map(({ name }) => name).join(' ') ?? ALL_FIELDS

/** As the API takes it; null: all. */
export const fieldsOf = (text: string = ALL_FIELDS): Named =>
  text === ALL_FIELDS
    ? null
    : text
        .split(' ')
        .filter(Boolean)
        .map((name) => ({ name }))
