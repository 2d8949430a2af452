/** What checks of the server found, in the language of the console, by code and values. */
import { type Phrase, phraseNamed, t } from '../languages/languages.ts'

/** What to do where a message was not accepted, by the kind of failure that the API answers. */
export const ADVICE: Readonly<Record<string, Phrase>> = {
  address: 'connectors.advice.address',
  plain: 'connectors.advice.plain',
  connect: 'connectors.advice.connect',
  timeout: 'connectors.advice.connect',
  tls: 'connectors.advice.tls',
  login: 'connectors.advice.login',
  sender: 'connectors.advice.sender',
  recipient: 'connectors.advice.recipient',
  message: 'connectors.advice.message',
  limit: 'connectors.advice.limit',
  fault: 'connectors.advice.fault',
  protocol: 'connectors.advice.protocol',
}

interface Found {
  readonly code: string
  readonly values: Readonly<Record<string, string | number>>
  /** In English, for codes that this console does not know. */
  readonly text: string
}

/** What was found. Of mail that was not accepted it says what to do about it. */
export const foundText = ({ code, values, text }: Found): string => {
  const advice = ADVICE[String(values.kind)]
  return phraseNamed(`found.${code}`, advice === undefined ? values : { ...values, reason: t(advice) }) ?? text
}

/** What was asked. @param subject in English, for codes that this console does not know */
export const askedText = ({ code, values }: Omit<Found, 'text'>, subject: string): string =>
  phraseNamed(`asked.${code}`, values) ?? subject
