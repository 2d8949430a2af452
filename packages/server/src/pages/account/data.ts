/** `/account/data`: everything that is stored of the account, as a file, and the end of the account. */
import { html } from '@remix-run/html-template'
import { deleteOwnAccount } from '../../domain/account/deletion.ts'
import { isShown, offersDeletion } from '../../domain/account/field-policy.ts'
import { dataRequested, ownData } from '../../domain/account/own-data.ts'
import { writeCookie } from '../../http/cookies.ts'
import type { Answer } from '../../http/exchange.ts'
import { fill } from '../../presentation/language.ts'
import { brandedPage } from '../../presentation/tenant-page.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { type AccountContext, accountFrame, work } from './account-page.ts'
import { type Change, simpleForm } from './change-page.ts'
import { rowList } from './rows.ts'

export const showData = (context: AccountContext): Promise<Answer> => {
  const { rules, language } = context
  const { account, accountSection } = language.phrases
  const { deleteAccountUrl } = rules.center
  const link = (id: string, text: string, about: string) => ({ id, href: `/account/change/${id}`, text, about })
  const rows = [
    ...(isShown(rules.center, 'data')
      ? [
          {
            name: account.data,
            details: [account.dataLead],
            links: [link('download-data', account.download, account.data)],
          },
        ]
      : []),
    ...(offersDeletion(rules.center)
      ? [
          {
            name: account.deletion,
            details: [account.deleteLead],
            links: [
              {
                ...link('delete-account', account.remove, account.deletion),
                ...(deleteAccountUrl ? { href: deleteAccountUrl } : {}),
              },
            ],
          },
        ]
      : []),
  ]
  return accountFrame(context, {
    section: 'data',
    title: accountSection.data,
    body: rows.length > 0 ? rowList(rows) : html``,
  })
}

const download: Change = {
  field: 'data',
  section: 'data',
  isReading: true,
  async form(context) {
    const { account } = context.language.phrases
    return {
      title: account.data,
      lead: account.dataLead,
      body: simpleForm(context, html``, account.download),
    }
  },
  async submit(context) {
    const { store, exchange, holder, rules, user } = context
    await perform(work(context, 'DownloadData'), dataRequested, holder, rules)
    return {
      answer: {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="account.json"',
          'cache-control': 'no-store',
        },
        body: JSON.stringify(await ownData(store, exchange.tenant, user.id), undefined, 2),
      },
    }
  },
}

/** The page without navigation: the session has ended. */
const deletedPage = ({ rules, language, exchange }: AccountContext, due: Date | null): Answer => {
  const { account } = language.phrases
  const title = due ? account.deletionTitle : account.deletedTitle
  const lead = due ? fill(account.deletionLead, { date: language.day(due) }) : account.deletedLead
  return brandedPage(rules.experience, language, {
    title,
    body: html`<h1 id="title">${title}</h1>
<p class="lead">${lead}</p>`,
    cookies: [writeCookie(exchange.tenant, 'session', '', 0)],
  })
}

const deletion: Change = {
  field: 'deletion',
  section: 'data',
  async form(context) {
    const { account } = context.language.phrases
    return {
      title: account.deleteTitle,
      lead: account.deleteLead,
      body: simpleForm(context, html``, account.deletion),
    }
  },
  async submit(context) {
    const due = await deleteOwnAccount(work(context, 'DeleteAccount'), context.holder, context.rules)
    return { answer: deletedPage(context, due) }
  },
}

export const dataChanges = { 'download-data': download, 'delete-account': deletion } as const
