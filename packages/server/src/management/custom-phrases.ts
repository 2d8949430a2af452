/** `/custom-phrases`, and `/.well-known/phrases`. */
import { customPhraseRoutes } from '@countersign/contract/custom-phrases.ts'
import {
  type CustomPhrasesRow,
  deleteCustomPhrases,
  getCustomPhrases,
  listCustomPhrases,
  phrasesIn,
  putCustomPhrases,
} from '../domain/sign-in/custom-phrases.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { bind } from '../http/api.ts'
import { chooseLanguage } from '../languages/choice.ts'

const toCustomPhrases = ({ tenant_id, id, language_tag, translation }: CustomPhrasesRow) => ({
  tenantId: tenant_id,
  id,
  languageTag: language_tag,
  translation,
})

export const customPhraseHandlers = bind(customPhraseRoutes, {
  async listCustomPhrases(_input, { store, tenant }) {
    return (await listCustomPhrases(store, tenant)).map(toCustomPhrases)
  },
  async getCustomPhrases({ params }, { store, tenant }) {
    return toCustomPhrases(await getCustomPhrases(store, tenant, params.languageTag))
  },
  async putCustomPhrases({ params, body }, { perform }) {
    return toCustomPhrases(await perform(putCustomPhrases, params.languageTag, body))
  },
  async deleteCustomPhrases({ params }, { perform }) {
    await perform(deleteCustomPhrases, params.languageTag)
  },
  async getPhrases({ query }, { store, tenant, exchange }) {
    const experience = await signInExperience(store, tenant)
    const [acceptLanguage] = exchange.headerValues('accept-language')
    return { ...(await phrasesIn(store, tenant, experience, chooseLanguage(query.lng, acceptLanguage, experience))) }
  },
})
