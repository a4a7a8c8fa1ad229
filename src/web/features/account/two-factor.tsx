import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import type { TwoFactorEnrollment } from '../../../contract/account.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { accountApi } from './account-api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

/**
 * Turns two-factor authentication on and off, and generates recovery codes. With `isStandalone`, it
 * can only be turned on, and the page around this component explains what it is.
 */
export function TwoFactor({ isStandalone = false }: { isStandalone?: boolean }) {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes'>()
  const [enrollment, setEnrollment] = useState<TwoFactorEnrollment>()
  const [codes, setCodes] = useState<string[]>()
  const heading = useRef<HTMLHeadingElement>(null)
  const isOn = me.person.hasTwoFactor
  const usesPasswords = useSetUpStatus().data?.passwordSignIn !== false

  /** Turning two-factor authentication on or off changes the profile and replaces the session. */
  async function refresh() {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['me'] }),
      queryClient.invalidateQueries({ queryKey: ['sign-in-sessions'] }),
    ])
  }

  /** Called when the pressed button disappears. */
  function focusHeading() {
    const shown = heading.current ?? document.querySelector('h1')
    shown?.focus()
  }

  return (
    <section>
      {!isStandalone && <Explanation isOn={isOn} usesPasswords={usesPasswords} heading={heading} />}
      {enrollment && !isOn && (
        <TwoFactorSetUp
          enrollment={enrollment}
          onConfirmed={async () => {
            setCodes(enrollment.backupCodes)
            await refresh()
            setEnrollment(undefined)
          }}
          onCancel={() => {
            setEnrollment(undefined)
            focusHeading()
          }}
        />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            setCodes(undefined)
            focusHeading()
          }}
        />
      )}
      {!enrollment && !codes && !(isStandalone && isOn) && (
        <div className="buttons">
          {isOn ? (
            <>
              <button type="button" className="btn" onClick={() => setDialog('codes')}>
                Generate recovery codes
              </button>
              <button type="button" className="btn" onClick={() => setDialog('off')}>
                Turn off
              </button>
            </>
          ) : (
            <button
              type="button"
              className={isStandalone ? 'btn primary' : 'btn'}
              onClick={() => setDialog('on')}
            >
              Set up two-factor authentication
            </button>
          )}
        </div>
      )}
      {dialog === 'on' && (
        <ConfirmIdentityDialog
          withPassword
          title="Set up two-factor authentication"
          description="Enter your password to continue."
          confirmLabel="Continue"
          onSubmit={async ({ password }) => {
            const started = await accountApi.enableTwoFactor(password!)
            // In one render, the dialog closes and the next step appears, which then takes the focus.
            setDialog(undefined)
            setEnrollment(started)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'codes' && (
        <ConfirmIdentityDialog
          withPassword
          title="Generate recovery codes?"
          description="Your current recovery codes will stop working."
          confirmLabel="Generate codes"
          onSubmit={async (confirmation) => {
            const { backupCodes } = await accountApi.generateRecoveryCodes(confirmation)
            setDialog(undefined)
            setCodes(backupCodes)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'off' && (
        <ConfirmIdentityDialog
          withPassword
          title="Turn off two-factor authentication?"
          description={`${usesPasswords ? 'Your password alone will be enough to sign in' : 'Sensitive changes will no longer ask for a code'}, and your recovery codes will stop working.`}
          confirmLabel="Turn off"
          onSubmit={async (confirmation) => {
            await accountApi.disableTwoFactor(confirmation)
            await refresh()
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

type ExplanationProps = {
  isOn: boolean
  usesPasswords: boolean
  heading: RefObject<HTMLHeadingElement | null>
}

function Explanation({ isOn, usesPasswords, heading }: ExplanationProps) {
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Two-factor authentication
        {isOn && (
          <span className="chip">
            <Icon of={ShieldCheck} /> On
          </span>
        )}
      </h2>
      <p>
        {isOn
          ? `${usesPasswords ? 'Signing in with your password also requires' : 'Sensitive changes require'} a code from your authenticator app.`
          : 'Protect your account from a stolen password: signing in with it then also requires a code from an app on your phone.'}
      </p>
    </>
  )
}
