import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { accountApi } from './account-api.ts'

export function PasswordForm() {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: accountApi.changePassword,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sign-in-sessions'] }),
  })
  const problem = change.error && asProblem(change.error)
  return (
    <section>
      <h2>Password</h2>
      <p>
        Changing your password signs you out on all other devices, disconnects your apps, unlinks your Slack
        user and stops push messages.
      </p>
      <form
        className="one-line above-12"
        onSubmit={submitHandler(change, (fields, form) =>
          change.mutate(
            {
              currentPassword: String(fields.get('currentPassword')),
              newPassword: String(fields.get('newPassword')),
            },
            { onSuccess: () => form.reset() },
          ),
        )}
      >
        {/* Tells password managers which account this is. They ignore inputs with type="hidden". */}
        <input type="text" name="username" autoComplete="username" value={me.person.email} readOnly hidden />
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
          error={fieldError(problem, 'currentPassword')}
          required
        />
        <NewPasswordField
          label="New password"
          name="newPassword"
          error={fieldError(problem, 'newPassword')}
        />
        <button className="btn" type="submit" aria-disabled={change.isPending}>
          {change.isPending ? 'Changing…' : 'Change password'}
        </button>
        {change.isSuccess && (
          <Strip tone="success">
            Your password was changed. You're signed out on all other devices, your apps are disconnected,
            your Slack user is unlinked, and your browsers get no more push messages.
          </Strip>
        )}
        <FormProblem
          message="Your password wasn't changed."
          problem={problem}
          fields={['currentPassword', 'newPassword']}
        />
      </form>
    </section>
  )
}
