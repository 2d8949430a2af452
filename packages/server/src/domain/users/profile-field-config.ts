/** The definition of a field of profiles: what fits its name and its type, and what of its configuration is kept. */
import {
  ADDRESS_PARTS,
  FULLNAME_PARTS,
  type ProfileFieldConfig,
  type ProfileFieldPart,
} from '@countersign/contract/custom-profile-fields.ts'
import { User, UserProfile } from '@countersign/contract/user.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { isPattern } from '../../kernel/linear-patterns.ts'
import { isDateFormat } from './profile-dates.ts'

/** A field as far as values are concerned. */
export interface FieldShape {
  readonly name: string
  readonly type: ProfileFieldPart['type']
  readonly required: boolean
  readonly config: ProfileFieldConfig
}

export const ISO_DATE = 'yyyy-MM-dd'
const DATE_FORMATS: readonly string[] = [ISO_DATE, 'MM/dd/yyyy', 'dd/MM/yyyy']

/** The format in which dates of a field are written. */
export const dateFormatOf = ({ format = ISO_DATE, customFormat = '' }: ProfileFieldConfig): string =>
  format === 'custom' ? customFormat : format

/** The members of `profile` that are texts, by name (OpenID Connect Core 5.1). */
export const PROFILE_TEXTS: ReadonlySet<string> = new Set(
  Object.keys(UserProfile.properties).filter((name) => name !== 'address'),
)

const IDENTIFIERS: ReadonlySet<string> = new Set(['username', 'email', 'phone', 'primaryEmail', 'primaryPhone'])
/** Members of users that no one fills in. */
const NOT_ENTERED: ReadonlySet<string> = new Set(
  ['password', 'roles', ...Object.keys(User.properties)].filter(
    (name) => !['name', 'avatar', 'profile'].includes(name),
  ),
)

/** The types that a member of users takes; undefined: it is custom data, which takes all. */
const typesFor = (name: string): readonly FieldShape['type'][] | undefined => {
  if (name === 'avatar') return ['Url']
  if (name === 'address') return ['Address']
  if (name === 'birthdate') return ['Date', 'Text', 'Regex']
  if (name === 'website' || name === 'profile') return ['Url', 'Text', 'Regex']
  return name === 'name' || PROFILE_TEXTS.has(name) ? ['Text', 'Select', 'Regex'] : undefined
}

/** Throws 400 `custom_profile_fields.…` for a name that no field can have. */
export const assertFieldName = (name: string): void => {
  if (name === '') throw new ApiError('custom_profile_fields.name_required')
  if (!/^[A-Za-z0-9]+$/.test(name)) throw new ApiError('custom_profile_fields.invalid_name')
  if (IDENTIFIERS.has(name)) throw new ApiError('custom_profile_fields.name_conflict_sign_in_identifier', { name })
  if (NOT_ENTERED.has(name) || name in Object.prototype)
    throw new ApiError('custom_profile_fields.name_conflict_built_in_prop', { name })
}

const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })

const assertRange = (minimum: number | undefined, maximum: number | undefined): void => {
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw new ApiError('custom_profile_fields.invalid_min_max_input')
}

const partsOf = (type: 'Address' | 'Fullname', parts: readonly ProfileFieldPart[] = []): ProfileFieldPart[] => {
  const names: readonly string[] = type === 'Address' ? ADDRESS_PARTS : FULLNAME_PARTS
  const isUnsound =
    parts.some(({ name }) => !names.includes(name)) ||
    new Set(parts.map(({ name }) => name)).size < parts.length ||
    !parts.some(({ enabled }) => enabled)
  if (isUnsound)
    throw new ApiError(
      type === 'Address'
        ? 'custom_profile_fields.invalid_address_components'
        : 'custom_profile_fields.invalid_fullname_components',
    )
  return parts.map((part) => {
    // they are texts wherever they are kept
    if (!['Text', 'Select', 'Regex'].includes(part.type))
      throw new ApiError('custom_profile_fields.invalid_sub_component_type')
    return { ...part, config: soundConfig(part.type, part.config) }
  })
}

/** The members that are there. */
const present = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>

const ownConfig = (type: FieldShape['type'], config: ProfileFieldConfig): ProfileFieldConfig => {
  const { minLength, maxLength, minValue, maxValue, format, customFormat, options = [], defaultValue } = config
  switch (type) {
    case 'Text':
      assertRange(minLength, maxLength)
      return { minLength, maxLength }
    case 'Number':
      assertRange(minValue, maxValue)
      return { minValue, maxValue }
    case 'Date':
      if (format === 'custom' ? !isDateFormat(customFormat ?? '') : !DATE_FORMATS.includes(format ?? ISO_DATE))
        throw invalid(`config.format must be ${DATE_FORMATS.join(', ')}, or custom with a customFormat of a day`)
      return format === 'custom' ? { format, customFormat } : { format: format ?? ISO_DATE }
    case 'Checkbox':
      if (defaultValue !== undefined && !['true', 'false'].includes(defaultValue))
        throw new ApiError('custom_profile_fields.invalid_default_value')
      return { defaultValue }
    case 'Select':
      if (options.length === 0 || new Set(options.map(({ value }) => value)).size < options.length)
        throw new ApiError('custom_profile_fields.invalid_options')
      return { options }
    case 'Regex':
      if (!format || !isPattern(format)) throw new ApiError('custom_profile_fields.invalid_regex_format')
      return { format }
    case 'Address':
    case 'Fullname':
      return { parts: partsOf(type, config.parts) }
    default:
      return {}
  }
}

/** What a type has of a configuration. Throws 400 `custom_profile_fields.…` for one that does not fit it. */
const soundConfig = (type: FieldShape['type'], config: ProfileFieldConfig = {}): ProfileFieldConfig => {
  const { placeholder } = type === 'Checkbox' ? {} : config
  return present({ placeholder, ...ownConfig(type, config) })
}

/**
 * The configuration of a field, as it is kept: members of other types are dropped. Throws 400 `custom_profile_fields.…` for what
 * does not fit the type, or a type that does not fit the name.
 */
export const fieldConfig = ({
  name,
  type,
  required,
  config,
}: Omit<FieldShape, 'config'> & { readonly config?: ProfileFieldConfig | undefined }): ProfileFieldConfig => {
  const fitting = typesFor(name)
  if (fitting && !fitting.includes(type))
    throw new ApiError('custom_profile_fields.name_conflict_built_in_prop', { name })
  if (type === 'Checkbox' && required) throw invalid('a Checkbox cannot be required')
  return soundConfig(type, config)
}
