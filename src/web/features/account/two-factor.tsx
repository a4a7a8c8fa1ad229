import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { TwoFactorEnrollment } from '../../../contract/account.ts'
import { useWorkspace } from '../../lib/person.ts'
import { Icon } from '../../ui/icon.tsx'
import { PasswordDialog } from '../../ui/password-dialog.tsx'
import { account } from './account-api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

const passwordDialogTexts = { label: 'Your password', refuse: 'Leave it', unchanged: 'Nothing was changed.' }

export function TwoFactor() {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes'>()
  const [begun, setBegun] = useState<TwoFactorEnrollment>()
  const [codes, setCodes] = useState<string[]>()
  const isOn = me.person.hasTwoFactor

  /** Switching two-factor on or off changes the profile and replaces the session. */
  async function refresh() {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['me'] }),
      queryClient.invalidateQueries({ queryKey: ['sessions'] }),
    ])
  }

  return (
    <section>
      <h2>
        Two-factor
        {isOn && (
          <span className="chip">
            <Icon of={ShieldCheck} /> on
          </span>
        )}
      </h2>
      <p>
        {isOn
          ? 'Signing in takes your password and a code of your authenticator app.'
          : 'With it, a stolen password is not enough: signing in also takes a code of an app on your phone.'}
      </p>
      {begun && !isOn && (
        <TwoFactorSetUp
          begun={begun}
          onConfirmed={async () => {
            setCodes(begun.backupCodes)
            await refresh()
            setBegun(undefined)
          }}
          onLeave={() => setBegun(undefined)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />}
      {!begun && !codes && (
        <div className="buttons">
          {isOn ? (
            <>
              <button type="button" className="btn" onClick={() => setDialog('codes')}>
                New recovery codes
              </button>
              <button type="button" className="btn" onClick={() => setDialog('off')}>
                Switch off
              </button>
            </>
          ) : (
            <button type="button" className="btn" onClick={() => setDialog('on')}>
              Set up two-factor
            </button>
          )}
        </div>
      )}
      {dialog === 'on' && (
        <PasswordDialog
          title="Set up two-factor"
          about="Your password once more: an open browser is not enough."
          confirm="Go on"
          {...passwordDialogTexts}
          onPassword={async (password) => {
            const secret = await account.enableTwoFactor(password)
            setDialog(undefined)
            setBegun(secret)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'codes' && (
        <PasswordDialog
          title="New recovery codes"
          about="The ones you have stop working."
          confirm="Make new codes"
          {...passwordDialogTexts}
          onPassword={async (password) => {
            const { backupCodes } = await account.renewRecoveryCodes(password)
            setDialog(undefined)
            setCodes(backupCodes)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'off' && (
        <PasswordDialog
          title="Switch two-factor off"
          about="Then your password alone signs you in, and the recovery codes are worth nothing."
          confirm="Switch off"
          {...passwordDialogTexts}
          onPassword={async (password) => {
            await account.disableTwoFactor(password)
            await refresh()
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}
