import { PageFrame } from '../../ui/page-frame.tsx'
import { EmailAddress } from './email-address.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function AccountPage() {
  return (
    <PageFrame title="Your account" intro="These settings apply in every workspace you belong to.">
      <NameForm />
      <EmailAddress />
      <PasswordForm />
      <TwoFactor />
      <Sessions />
    </PageFrame>
  )
}
