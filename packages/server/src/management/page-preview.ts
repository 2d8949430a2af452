/** `/sign-in-exp/preview`: a page with settings that are not saved. */
import { type PREVIEWED_PAGES, pagePreviewRoutes } from '@countersign/contract/page-preview.ts'
import { type Client, findClient } from '../domain/applications/clients.ts'
import { type SignInExperience, signInExperience, signUpFieldsOf } from '../domain/sign-in/experience.ts'
import { type OrganizationLook, organizationLook } from '../domain/sign-in/organization-look.ts'
import { proposedSettings } from '../domain/sign-in/settings.ts'
import { bind } from '../http/api.ts'
import type { Exchange } from '../http/exchange.ts'
import { notFound } from '../kernel/api-error.ts'

/** Renders a page as users would see it. */
export type PreviewPage = (
  exchange: Exchange,
  shown: {
    readonly page: (typeof PREVIEWED_PAGES)[number]
    readonly language: string | undefined
    readonly client: Client | undefined
    /** Where there is no client. */
    readonly applicationName: string | undefined
    readonly organization: OrganizationLook | undefined
    readonly experience: SignInExperience
  },
) => Promise<{ readonly html: string; readonly css: string }>

export const pagePreviewHandlers = (preview: PreviewPage) =>
  bind(pagePreviewRoutes, {
    async previewPage(
      { body: { screen: page = 'sign-in', language, applicationId, applicationName, organizationId, settings = {} } },
      { store, tenant, exchange },
    ) {
      const client = applicationId === undefined ? undefined : await findClient(store, tenant, applicationId)
      if (applicationId !== undefined && !client) throw notFound('application', applicationId)
      const organization = await organizationLook(store, tenant, organizationId)
      if (organizationId !== undefined && !organization) throw notFound('organization', organizationId)
      const proposed = proposedSettings(await signInExperience(store, tenant), settings)
      const experience = { ...proposed, signUpFields: signUpFieldsOf(proposed, proposed.profileFields) }
      return preview(exchange, { page, language, client, applicationName, organization, experience })
    },
  })
