import { PageFrame } from '../settings/page-frame.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'
import './account.css'

export function AccountPage() {
  return (
    <PageFrame title="Your account" lede="The same in every workspace you belong to.">
      <NameForm />
      <PasswordForm />
      <TwoFactor />
      <Sessions />
    </PageFrame>
  )
}
