/** What users are asked for when they register, beside identifiers and passwords. Paths and fields are those of the reference. */
import Type, { type Static } from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Nullable, OneOf } from './schema.ts'

export const PROFILE_FIELD_TYPES = [
  'Text',
  'Number',
  'Date',
  'Checkbox',
  'Select',
  'Url',
  'Regex',
  'Address',
  'Fullname',
] as const
const FieldType = OneOf(PROFILE_FIELD_TYPES)

/** The members of an address, and of a full name, as `parts` names them. */
export const ADDRESS_PARTS = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'] as const
export const FULLNAME_PARTS = ['givenName', 'middleName', 'familyName'] as const

const Label = Type.String({ maxLength: 128 })
const Description = Type.String({ maxLength: 256 })
const Length = Type.Integer({ minimum: 0, maximum: 2048 })

const simpleConfig = {
  placeholder: Type.Optional(Type.String({ maxLength: 256 })),
  minLength: Type.Optional(Type.Integer({ ...Length, description: 'Text: characters' })),
  maxLength: Type.Optional(Type.Integer({ ...Length, description: 'Text: characters, 256 by default' })),
  minValue: Type.Optional(Type.Number({ description: 'Number' })),
  maxValue: Type.Optional(Type.Number({ description: 'Number' })),
  format: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'Date: `yyyy-MM-dd` (the default), `MM/dd/yyyy`, `dd/MM/yyyy`, or `custom`. Regex: an expression in RE2 syntax, that some part of the value has to match',
    }),
  ),
  customFormat: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'Date with the format `custom`: `yyyy`, `MM`, `dd`, `M` and `d` between other characters than letters',
    }),
  ),
  options: Type.Optional(
    Type.Array(
      Type.Object({
        label: Type.Optional(Label),
        value: Type.String({ minLength: 1, maxLength: 128 }),
      }),
      { maxItems: 300, description: 'Select: at least one' },
    ),
  ),
  defaultValue: Type.Optional(Type.String({ maxLength: 128, description: 'Checkbox: `true` or `false`' })),
}

const Part = Type.Object({
  enabled: Type.Boolean(),
  name: OneOf([...ADDRESS_PARTS, ...FULLNAME_PARTS]),
  type: FieldType,
  label: Type.Optional(Label),
  description: Type.Optional(Description),
  required: Type.Boolean(),
  config: Type.Optional(Type.Object(simpleConfig)),
})
export type ProfileFieldPart = Static<typeof Part>

const Config = Type.Object({
  ...simpleConfig,
  parts: Type.Optional(
    Type.Array(Part, { maxItems: 6, description: 'Address and Fullname: at least one of them enabled' }),
  ),
})
export type ProfileFieldConfig = Static<typeof Config>

const Name = Type.String({
  maxLength: 128,
  description: 'Letters and digits',
  examples: ['company'],
})

const input = {
  type: FieldType,
  label: Type.Optional(Label),
  description: Type.Optional(Description),
  required: Type.Boolean({ description: 'false for a Checkbox' }),
  config: Type.Optional(Config),
}
const CustomProfileFieldUpdate = Type.Object(input)
export const CustomProfileFieldCreate = Type.Object({ name: Name, ...input })
export type CustomProfileFieldCreate = Static<typeof CustomProfileFieldCreate>
export type CustomProfileFieldUpdate = Static<typeof CustomProfileFieldUpdate>

export const CustomProfileField = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  name: Name,
  type: FieldType,
  label: Label,
  description: Nullable(Description),
  required: Type.Boolean(),
  config: Config,
  createdAt: EpochMilliseconds,
  sieOrder: Type.Integer({ description: 'Its place among the fields, ascending' }),
})

const byName = { params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 128 }) }) }
const shapeErrors = [
  'custom_profile_fields.invalid_min_max_input',
  'custom_profile_fields.invalid_default_value',
  'custom_profile_fields.invalid_options',
  'custom_profile_fields.invalid_regex_format',
  'custom_profile_fields.invalid_address_components',
  'custom_profile_fields.invalid_fullname_components',
  'custom_profile_fields.invalid_sub_component_type',
  'custom_profile_fields.name_conflict_built_in_prop',
] as const
const nameErrors = [
  'custom_profile_fields.name_required',
  'custom_profile_fields.invalid_name',
  'custom_profile_fields.name_exists',
  'custom_profile_fields.name_conflict_sign_in_identifier',
  ...shapeErrors,
] as const

const WHERE =
  'The value of a field is kept in the user’s `name`, `avatar` or `profile` if that has a member of this name, which has to be of a fitting type; the parts of a Fullname in `profile`; everything else in `customData`.'

export const customProfileFieldRoutes = routes({
  listCustomProfileFields: {
    method: 'GET',
    path: '/custom-profile-fields',
    permission: 'read:sign-in-exp',
    summary: 'List the fields of profiles, in their order',
    status: 200,
    response: Type.Array(CustomProfileField),
  },
  createCustomProfileField: {
    method: 'POST',
    path: '/custom-profile-fields',
    permission: 'write:sign-in-exp',
    summary: 'Create a field of profiles, behind the others',
    description: WHERE,
    body: CustomProfileFieldCreate,
    status: 201,
    response: CustomProfileField,
    errors: nameErrors,
  },
  createCustomProfileFields: {
    method: 'POST',
    path: '/custom-profile-fields/batch',
    permission: 'write:sign-in-exp',
    summary: 'Create several fields of profiles, all or none',
    description: WHERE,
    body: Type.Array(CustomProfileFieldCreate, { minItems: 1, maxItems: 100 }),
    status: 201,
    response: Type.Array(CustomProfileField),
    errors: nameErrors,
  },
  getCustomProfileField: {
    method: 'GET',
    path: '/custom-profile-fields/:name',
    permission: 'read:sign-in-exp',
    version: WHOLE,
    summary: 'Get a field of profiles',
    ...byName,
    status: 200,
    response: CustomProfileField,
    errors: ['entity.not_exists_with_id'],
  },
  replaceCustomProfileField: {
    method: 'PUT',
    path: '/custom-profile-fields/:name',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Replace a field of profiles; its name and its place stay',
    description: 'Values that users have given stay as they are.',
    ...byName,
    body: CustomProfileFieldUpdate,
    status: 200,
    response: CustomProfileField,
    errors: ['entity.not_exists_with_id', ...shapeErrors],
  },
  deleteCustomProfileField: {
    method: 'DELETE',
    path: '/custom-profile-fields/:name',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Delete a field of profiles',
    description: 'It leaves `signUpProfileFields` too. Values that users have given stay.',
    ...byName,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  orderCustomProfileFields: {
    method: 'POST',
    path: '/custom-profile-fields/properties/sie-order',
    permission: 'write:sign-in-exp',
    summary: 'Change the order of fields of profiles',
    body: Type.Object({
      order: Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 128 }),
          sieOrder: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    }),
    status: 200,
    response: Type.Array(CustomProfileField),
    errors: ['custom_profile_fields.entity_not_exists_with_names', 'custom_profile_fields.conflicted_sie_order'],
  },
})
