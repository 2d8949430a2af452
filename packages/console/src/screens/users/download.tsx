/** All that the server keeps of a user as one file: for the person who asks what is kept of them. */
import { Download } from 'lucide-react'
import { may, type Operation, useChanges } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { saveFile } from './save-file.ts'

/** Log entries that go into the file: the newest. */
const MOST_ENTRIES = 1000
const PAGE = 100

/** @param id of the user @returns by the names of the operations that answered; what the administrator may not read is left out */
const useCollected = (id: string) => {
  const collect = useChanges()
  const run = () =>
    collect.mutate(async (client) => {
      const params = { userId: id }
      const parts: Partial<Record<Operation, () => Promise<unknown>>> = {
        getUser: () => client.getUser({ params }),
        listUserRoles: () => client.listUserRoles({ params }),
        listUserOrganizations: () => client.listUserOrganizations({ params }),
        listUserIdentities: () => client.listUserIdentities({ params }),
        listUserFactors: () => client.listUserFactors({ params }),
        listTrustedDevices: () => client.listTrustedDevices({ params }),
        listUserSessions: () => client.listUserSessions({ params }),
        listUserGrants: () => client.listUserGrants({ params }),
        listPersonalAccessTokens: () => client.listPersonalAccessTokens({ params }),
        listLogs: async () => {
          const entries = []
          for await (const entry of client.listLogs.all({ query: { userId: id, page_size: PAGE } })) {
            entries.push(entry)
            if (entries.length === MOST_ENTRIES) break
          }
          return entries
        },
      }
      const collected: Record<string, unknown> = {}
      for (const [operation, read] of Object.entries(parts))
        if (may(operation as Operation)) collected[operation] = await read()
      saveFile(`user-${id}.json`, 'application/json', `${JSON.stringify(collected, null, 2)}\n`)
    })
  return { run, isBusy: collect.isPending, error: collect.error }
}

export const DownloadData = ({ id }: { readonly id: string }) => {
  const { run, isBusy, error } = useCollected(id)
  return (
    <Card title={t('user.download')} text={t('user.downloadText', { count: MOST_ENTRIES })}>
      <Button onClick={run} isBusy={isBusy}>
        <Download size={15} aria-hidden />
        {t('user.download')}
      </Button>
      {error && <ErrorState error={error} />}
    </Card>
  )
}
