import { useNavigate } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import { api } from '../../lib/api.ts'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { useEntry } from './use-entry.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

export function InvitationPage() {
  const navigate = useNavigate()
  const token = useTokenFromLink()
  const entry = useEntry(async ({ name = '', password = '' }) => {
    const accepted = await api.acceptInvitation({ token, name, password })
    await navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId: accepted.workspaceId } })
  })

  if (token === '') {
    return (
      <EntryFrame
        title="This link is not whole"
        lede="Copy the whole invitation link, up to its last character, or ask for a new one."
      />
    )
  }
  return (
    <EntryFrame
      title="Join the workspace"
      lede="You were invited to answer what agents hand to people. If you already have an account here, use its password."
    >
      <EntryForm entry={entry} unchanged="You have not joined yet." submit="Join" submitting="Joining">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={limits.personName}
          error={entry.errorAt('name')}
          required
          autoFocus
        />
        <NewPasswordField label="Password" error={entry.errorAt('password')} />
      </EntryForm>
    </EntryFrame>
  )
}
