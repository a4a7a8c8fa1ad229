import { useNavigate } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import { api } from '../../lib/api.ts'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { useEntry } from './use-entry.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

export function SetUpPage() {
  const navigate = useNavigate()
  const token = useTokenFromLink()
  const entry = useEntry(async ({ workspace = '', name = '', email = '', password = '' }) => {
    const done = await api.setUp({ token, workspace, name, email, password })
    await navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId: done.workspaceId } })
  })

  if (token === '') {
    return (
      <EntryFrame
        title="This link is not whole"
        lede="Copy the whole set-up link that the first start of the service printed, up to its last character."
      />
    )
  }
  return (
    <EntryFrame
      title="Set up Handrail"
      lede="You become the first owner. After this, people join by invitation."
    >
      <EntryForm entry={entry} unchanged="Nothing was set up." submit="Set up" submitting="Setting up">
        <TextField
          label="Workspace"
          name="workspace"
          maxLength={limits.workspaceName}
          help="Your team or company. It can be changed later."
          error={entry.errorAt('workspace')}
          required
          autoFocus
        />
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={limits.personName}
          error={entry.errorAt('name')}
          required
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          error={entry.errorAt('email')}
          required
        />
        <NewPasswordField label="Password" error={entry.errorAt('password')} />
      </EntryForm>
    </EntryFrame>
  )
}
