import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { PageFrame } from '../../ui/page-frame.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInSessions } from './sign-in-sessions.tsx'
import { TwoFactor } from './two-factor.tsx'
import { UnverifiedEmail } from './unverified-email.tsx'

export function AccountPage() {
  const { hasTwoFactor } = useWorkspace().me.person
  const usesPasswords = useSetUpStatus().data?.passwordSignIn !== false
  return (
    <PageFrame title="Your account" intro="These settings apply in every workspace you belong to.">
      <NameForm />
      <UnverifiedEmail />
      {usesPasswords && <PasswordForm />}
      {/* Also without passwords, sensitive changes ask for a code if two-factor is on. */}
      {(usesPasswords || hasTwoFactor) && <TwoFactor />}
      <SignInSessions />
    </PageFrame>
  )
}
