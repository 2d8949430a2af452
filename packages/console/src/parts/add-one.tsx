/** A button that chooses one of many: a user, an application, a role or an organization, found by a search. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, type Look } from './button.tsx'
import { type Choice, Chooser } from './chooser.tsx'
import { type Among, useFound } from './found.tsx'

interface AddOneProps {
  readonly title: string
  readonly text: string
  readonly searchLabel: string
  readonly among: Among
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  readonly onChoose: (choice: Choice, done: () => void) => void
  readonly look?: Look
}

const Choosing = (props: AddOneProps & { readonly onClose: () => void }) => {
  const { title, text, searchLabel, among, change, onChoose, onClose } = props
  const [search, setSearch] = useState('')
  const { choices, error } = useFound(among, search)
  return (
    <Chooser
      title={title}
      text={text}
      searchLabel={searchLabel}
      search={search}
      onSearch={setSearch}
      choices={choices}
      error={error ?? change.error}
      isBusy={change.isPending}
      onChoose={(choice) => onChoose(choice, onClose)}
      onClose={onClose}
    />
  )
}

/** The button, and the dialog that it opens. */
export const AddOne = (props: AddOneProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...(props.look === undefined ? {} : { look: props.look })} onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden />
        {props.title}
      </Button>
      {isOpen && (
        <Choosing
          {...props}
          onClose={() => {
            setOpen(false)
            props.change.reset()
          }}
        />
      )}
    </>
  )
}
