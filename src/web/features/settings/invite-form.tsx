import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Invited } from '../../../contract/invitation.ts'
import { limits } from '../../../contract/limits.ts'
import type { Role } from '../../../contract/workspace.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { roles, useRole } from '../../lib/role.ts'
import { roleTitle } from '../../lib/role-texts.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function InviteForm({ onCreated }: { onCreated: (created: Invited) => void }) {
  const { api } = useWorkspace()
  const { isAtLeast } = useRole()
  const roleId = useId()
  const invite = useMutation({ mutationFn: api.invite, onSuccess: onCreated })
  const [invitingOwner, setInvitingOwner] = useState<{ email: string; reset: () => void }>()
  const problem = invite.error && asProblem(invite.error)
  return (
    <>
      <form
        className="one-line"
        onSubmit={submitHandler(invite, (fields, form) => {
          const email = String(fields.get('email'))
          const role = String(fields.get('role')) as Role
          const reset = () => form.reset()
          if (role === 'owner') setInvitingOwner({ email, reset })
          else invite.mutate({ email, role }, { onSuccess: reset })
        })}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={limits.email}
          error={fieldError(problem, 'email')}
          required
        />
        <div className="narrow">
          <label className="lbl" htmlFor={roleId}>
            Role
          </label>
          <Select id={roleId} name="role" defaultValue="member">
            {roles.map((role) => (
              <option key={role} value={role} disabled={role !== 'member' && !isAtLeast('owner')}>
                {roleTitle[role]}
                {role !== 'member' && !isAtLeast('owner') && ' (owners only)'}
              </option>
            ))}
          </Select>
        </div>
        <button className="btn primary" type="submit" aria-disabled={invite.isPending}>
          {invite.isPending ? 'Inviting…' : 'Invite'}
        </button>
        {!invitingOwner && (
          <FormProblem message="The invitation wasn't created." problem={problem} fields={['email']} />
        )}
      </form>
      {invitingOwner && (
        <ConfirmIdentityDialog
          title="Invite an owner?"
          description={`${invitingOwner.email} will be able to do everything in this workspace, including removing you.`}
          confirmLabel="Invite"
          failureMessage="The invitation wasn't created."
          onSubmit={async (confirmation) => {
            await invite.mutateAsync({ email: invitingOwner.email, role: 'owner', ...confirmation })
            invitingOwner.reset()
          }}
          onClose={() => {
            // Otherwise the form would show a problem of this dialog, such as a wrong password.
            invite.reset()
            setInvitingOwner(undefined)
          }}
        />
      )}
    </>
  )
}
