/** The values of a form: kept as a draft while they differ from what is stored, with the server's refusal at its field. */
import { useEffect, useState } from 'react'
import { failureOf } from '../api/failure.ts'
import { forgetVersions, holdVersions, releaseVersions } from '../api/versions.ts'
import { draftOf, dropDraft, keepDraft } from '../session/draft.ts'

/**
 * @param form names the draft, unique in the console @param stored what the server has; every field is a text
 * @param secrets fields that no draft keeps
 */
export const useForm = <Values extends Readonly<Record<string, string>>>(
  form: string,
  stored: Values,
  secrets: readonly (keyof Values)[] = [],
) => {
  const [edited, setEdited] = useState<Partial<Values>>(() => (draftOf(form) ?? {}) as Partial<Values>)
  const changed = Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => value !== undefined && value !== stored[name]),
  ) as Partial<Values>
  const text = JSON.stringify(changed)
  useEffect(() => {
    const kept = Object.entries(JSON.parse(text) as Record<string, string>).filter(([name]) => !secrets.includes(name))
    if (kept.length > 0) keepDraft(form, Object.fromEntries(kept))
    else {
      dropDraft(form)
      forgetVersions(form)
    }
  }, [form, text, secrets])
  const isChanged = text !== '{}'
  useEffect(() => {
    if (!isChanged) return
    holdVersions(form)
    return () => releaseVersions(form)
  }, [form, isChanged])
  return {
    values: { ...stored, ...changed } as Values,
    isChanged,
    set: <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      setEdited((before) => ({ ...before, [name]: value })),
    /** After it was sent, or to give it up: what was typed since this was rendered stays. */
    reset: () =>
      setEdited(
        (now) =>
          Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== edited[name])) as typeof now,
      ),
  }
}

/** The refusal of a call at the field that it names. @param member of the body, or its beginning @param codes of errors that concern the field */
export const errorAt = (error: unknown, member: string, ...codes: readonly string[]): string | undefined => {
  const failure = failureOf(error)
  const isNamed = failure.member === member || failure.member?.startsWith(`${member}.`)
  return isNamed || (failure.code !== undefined && codes.includes(failure.code)) ? failure.atField : undefined
}
