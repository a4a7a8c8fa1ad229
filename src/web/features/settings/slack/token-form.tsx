import { useMutation, useQueryClient } from '@tanstack/react-query'
import { asProblem, fieldError } from '../../../lib/problem.ts'
import { submitHandler } from '../../../lib/submit-handler.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './slack.module.css'

/**
 * Asks for the secrets of the Slack app. With `onClose`, it replaces the stored ones and can be
 * cancelled.
 */
export function TokenForm({ onClose }: { onClose?: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const connect = useMutation({
    mutationFn: api.connectSlack,
    onSuccess: async (slack) => {
      queryClient.setQueryData(['slack', workspaceId], slack)
      await queryClient.invalidateQueries({ queryKey: ['notifications', workspaceId] })
    },
  })
  const problem = connect.error && asProblem(connect.error)
  return (
    <form
      className={styles.tokens}
      onSubmit={submitHandler(connect, (fields) =>
        connect.mutate(
          {
            botToken: String(fields.get('botToken')).trim(),
            signingSecret: String(fields.get('signingSecret')).trim(),
          },
          // Not called once this form is closed, because it may have been opened again.
          { onSuccess: () => onClose?.() },
        ),
      )}
    >
      <TextField
        label="Bot User OAuth Token"
        name="botToken"
        type="password"
        autoComplete="off"
        placeholder="xoxb-…"
        help="In the Slack app: OAuth & Permissions."
        error={fieldError(problem, 'botToken')}
        required
        autoFocus={onClose !== undefined}
      />
      <TextField
        label="Signing Secret"
        name="signingSecret"
        type="password"
        autoComplete="off"
        help="In the Slack app: Basic Information, App Credentials."
        error={fieldError(problem, 'signingSecret')}
        required
      />
      <p className="text-meta text-ink-3">
        Handrail encrypts both and never shows them again.
        {onClose &&
          ' Another signing secret unlinks the Slack users of all members. A token of another Slack workspace also removes the channels.'}
      </p>
      <div className="cluster">
        <button className="btn primary" type="submit" aria-disabled={connect.isPending}>
          {connect.isPending ? 'Connecting…' : onClose ? 'Replace token' : 'Connect'}
        </button>
        {onClose && (
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
        )}
      </div>
      <FormProblem
        message={onClose ? "The token wasn't replaced." : "Slack wasn't connected."}
        problem={problem}
        fields={['botToken', 'signingSecret']}
      />
    </form>
  )
}
