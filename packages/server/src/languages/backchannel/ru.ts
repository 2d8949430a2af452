/** Russian: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Подтвердите вход',
  backchannelLead:
    'Приложение просит выполнить вход от вашего имени. Продолжите, чтобы увидеть, какое, и принять решение.',
  backchannelGone: 'Срок запроса истёк, или на него уже ответили.',
  backchannelConfirmTitle: 'Войти в {application}?',
  backchannelMessage: 'Сообщение приложения',
  backchannelWarning:
    'Разрешайте, только если вы этого ожидали и сообщение совпадает с тем, что вы видели там, где начали. Иначе откажите.',
  backchannelDone: 'Вы разрешили вход',
  backchannelDoneLead: 'Это окно можно закрыть и продолжить там, где вы начали.',
  backchannelDenied: 'Вы отказали во входе',
  backchannelDeniedLead: 'Приложение не получило доступа. Это окно можно закрыть.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Подтвердите вход',
  lead: 'Приложение просит выполнить вход от вашего имени на {{host}}. Откройте ссылку, чтобы увидеть, какое, и принять решение.',
  action: 'Посмотреть запрос',
  unasked:
    'Если вы этого не ожидали, просто не обращайте внимания на это письмо. Без вашего разрешения никто не войдёт.',
}

/** The text message. */
export const backchannelSms = 'Приложение просит войти от вашего имени на {{host}}. Решение: {{link}}'
