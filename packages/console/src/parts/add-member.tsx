/** Chooses a user, or an application that acts for itself, among those that are not members yet. */
import { t } from '../languages/languages.ts'
import { AddOne } from './add-one.tsx'
import type { Choice } from './chooser.tsx'
import type { MemberKind } from './member-list.tsx'

interface AddMemberProps {
  readonly kind: MemberKind
  readonly text: string
  /** Whose members are left out. */
  readonly without: { readonly excludeRoleId: string } | { readonly excludeOrganizationId: string }
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  readonly onChoose: (choice: Choice, done: () => void) => void
}

/** The button, and the dialog that it opens. */
export const AddMember = ({ kind, without, ...rest }: AddMemberProps) => (
  <AddOne
    {...rest}
    title={t(kind === 'user' ? 'roles.addUser' : 'roles.addApplication')}
    searchLabel={t(kind === 'user' ? 'users.search' : 'applications.search')}
    among={{ kind: kind === 'user' ? 'users' : 'machines', without }}
    look="primary"
  />
)
