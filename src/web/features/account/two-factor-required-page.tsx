import { useLocation } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useSignOut } from '../../parts/shell/use-sign-out.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TwoFactor } from './two-factor.tsx'

type Props = {
  /** False once the session meets the requirement, or the workspace no longer has it. */
  isNeeded: boolean
  onContinue: () => void
}

/**
 * Shown instead of a workspace that requires two-factor authentication, until the person meets the
 * requirement and continues.
 */
export function TwoFactorRequiredPage({ isNeeded, onContinue }: Props) {
  const href = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const { signOut, dialog } = useSignOut()
  const { me, workspaceId } = useWorkspace()
  const { singleSignOn: provider, passwordSignIn } = useSetUpStatus().data ?? {}
  const workspace = me.workspaces.find((workspace) => workspace.workspaceId === workspaceId)
  const name = escapeBidi(workspace?.name ?? '')
  // Setting up codes here would not help: single sign-on does not ask for them.
  const mustSignInAgain = me.person.signedInWith === 'single-sign-on'
  const intro = mustSignInAgain
    ? `${provider ?? 'Your identity provider'} didn't confirm a second factor for this sign-in. Sign in again and use one there${passwordSignIn ? ', or sign in with your password and a code' : ''}.`
    : `An owner of ${name} requires it of all members. You need an authenticator app on your phone.`
  const neededTitle = mustSignInAgain
    ? 'Sign in with a second factor to continue'
    : 'Set up two-factor authentication to continue'
  const metTitle = me.person.hasTwoFactor ? 'Two-factor authentication is on' : 'You can continue'
  return (
    <StandalonePage
      title={isNeeded ? neededTitle : metTitle}
      icon={ShieldCheck}
      intro={isNeeded ? intro : `You now have access to ${name}.`}
      isWide
    >
      {!mustSignInAgain && (
        <div className="above-16">
          <TwoFactor isStandalone />
        </div>
      )}
      <div className="buttons above-16">
        {isNeeded ? (
          <button
            type="button"
            className={mustSignInAgain ? 'btn primary' : 'btn'}
            onClick={() => void signOut(href)}
          >
            {mustSignInAgain ? 'Sign in again' : 'Sign out'}
          </button>
        ) : (
          <button type="button" className="btn primary" onClick={onContinue}>
            Continue to {name}
          </button>
        )}
      </div>
      {dialog}
    </StandalonePage>
  )
}
