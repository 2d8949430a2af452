/** The operator's templates of mails, identified by language and by what the mail is for. */
import { isDeepStrictEqual } from 'node:util'
import type { EmailTemplateInput } from '@countersign/contract/email-templates.ts'
import type { Static } from 'typebox'
import {
  deleteEmailTemplate,
  type EmailTemplateRow,
  replaceEmailTemplates,
} from '../domain/delivery/email-templates.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { assertDistinct, at, type Journal } from './journal.ts'

type DeclaredTemplate = Static<typeof EmailTemplateInput>

const SECTION = 'emailTemplates'

export const readEmailTemplates = ({ tx, tenant }: Unit): Promise<EmailTemplateRow[]> =>
  tx
    .selectFrom('email_templates')
    .selectAll()
    .where(inTenant(tenant.id))
    .orderBy('language_tag')
    .orderBy('template_type')
    .execute()

/** What of a template a file has. */
export const declaredTemplate = ({ language_tag, template_type, details }: EmailTemplateRow): DeclaredTemplate => ({
  languageTag: language_tag,
  templateType: template_type as DeclaredTemplate['templateType'],
  details,
})

const nameOf = ({ languageTag, templateType }: Omit<DeclaredTemplate, 'details'>): string =>
  `${templateType} (${languageTag})`

/** Which fields differ, by name only: a text can be long. */
const differences = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name)))
    .map((name) => `${name} differs`)

export const applyEmailTemplates = async (
  unit: Unit,
  journal: Journal,
  declared: readonly DeclaredTemplate[],
): Promise<void> => {
  assertDistinct([SECTION], 'templateType', declared.map(nameOf))
  const present = await readEmailTemplates(unit)
  const byName = new Map(present.map((row) => [nameOf(declaredTemplate(row)), row]))
  for (const [index, template] of declared.entries()) {
    const what = `email template ${nameOf(template)}`
    const before = byName.get(nameOf(template))
    const details = before ? differences(before.details, template.details) : []
    if (before && details.length === 0) continue
    await at([SECTION, index], () => replaceEmailTemplates.run(unit, [template]))
    journal.changes.push({ verb: before ? 'change' : 'create', what, details })
  }
  if (!journal.prune) return
  const wanted = new Set(declared.map(nameOf))
  for (const [name, { id }] of [...byName].filter(([each]) => !wanted.has(each))) {
    await deleteEmailTemplate.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `email template ${name}`, details: [] })
  }
}
