/** `/custom-profile-fields`. */
import { customProfileFieldRoutes } from '@countersign/contract/custom-profile-fields.ts'
import { deleteProfileField } from '../domain/sign-in/sign-up-fields.ts'
import {
  createProfileFields,
  getProfileField,
  listProfileFields,
  orderProfileFields,
  type ProfileField,
  replaceProfileField,
} from '../domain/users/profile-fields.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'

/** A field as the API shows it. */
export const shownField = ({ id: tenantId }: Tenant, { createdAt, ...field }: ProfileField) => ({
  tenantId,
  ...field,
  createdAt: createdAt.getTime(),
})

export const customProfileFieldHandlers = bind(customProfileFieldRoutes, {
  async listCustomProfileFields(_input, { store, tenant }) {
    const fields = await listProfileFields(store.database.kysely, tenant.id)
    return fields.map((field) => shownField(tenant, field))
  },
  async createCustomProfileField({ body }, { tenant, perform }) {
    const [field] = await perform(createProfileFields, [body])
    return shownField(tenant, field as ProfileField)
  },
  async createCustomProfileFields({ body }, { tenant, perform }) {
    return (await perform(createProfileFields, body)).map((field) => shownField(tenant, field))
  },
  async getCustomProfileField({ params }, { store, tenant }) {
    return shownField(tenant, await getProfileField(store, tenant, params.name))
  },
  async replaceCustomProfileField({ params, body }, { tenant, perform }) {
    return shownField(tenant, await perform(replaceProfileField, params.name, body))
  },
  async deleteCustomProfileField({ params }, { perform }) {
    await perform(deleteProfileField, params.name)
  },
  async orderCustomProfileFields({ body }, { tenant, perform }) {
    return (await perform(orderProfileFields, body.order)).map((field) => shownField(tenant, field))
  },
})
