/** A user as a line in lists of members. */
import type { Row } from '../../api/client.ts'
import { Avatar } from './avatar.tsx'
import { titleOf } from './search.ts'

/** @param user as any list of users shows them */
export const memberOf = (user: Row<'listUsers'>) => {
  const name = titleOf(user)
  return {
    id: user.id,
    name,
    detail: user.primaryEmail === name ? null : user.primaryEmail,
    picture: <Avatar name={name} picture={user.avatar} />,
  }
}
