import { Link, useNavigate } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import { api } from '../../lib/api.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

export function SetUpPage() {
  const token = useTokenFromLink()
  const setUpStatus = useSetUpStatus()
  if (setUpStatus.isLoading) return null
  if (setUpStatus.data?.needed === false) return <AlreadySetUp />
  if (token === '') {
    return (
      <StandalonePage
        title="This link is incomplete"
        intro="Copy the complete setup link from Handrail's log. Every start prints it again."
      />
    )
  }
  // Also shown if the status couldn't be loaded: sending the form shows the error.
  return <SetUpForm key={token} token={token} />
}

function AlreadySetUp() {
  return (
    <StandalonePage
      title="Handrail is already set up"
      intro="The setup link no longer works. Sign in with your account, or ask an admin for an invitation."
    >
      <Link className="btn primary full" to="/sign-in">
        Sign in
      </Link>
    </StandalonePage>
  )
}

function SetUpForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const form = useSignedOutForm(async ({ workspace = '', name = '', email = '', password = '' }) => {
    const { workspaceId } = await api.setUp({ token, workspace, name, email, password })
    await navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId } })
  })
  return (
    <StandalonePage
      title="Set up Handrail"
      intro="You'll be the first owner. Other people join by invitation."
    >
      <AuthForm
        form={form}
        failureMessage="Handrail wasn't set up."
        submitLabel="Set up"
        submittingLabel="Setting up…"
      >
        <TextField
          label="Workspace name"
          name="workspace"
          maxLength={limits.workspaceName}
          help="Your team or company. You can change it later."
          error={form.errorAt('workspace')}
          required
          autoFocus
        />
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={limits.personName}
          error={form.errorAt('name')}
          required
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          error={form.errorAt('email')}
          required
        />
        <NewPasswordField label="Password" error={form.errorAt('password')} />
      </AuthForm>
    </StandalonePage>
  )
}
