import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Confirmation } from '../../../contract/confirmation.ts'
import { limits } from '../../../contract/limits.ts'
import type { RetentionPreview, Workspace } from '../../../contract/workspace.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useStoredValue } from './use-stored-value.ts'

/**
 * How long the content of ended tasks is kept. To set a period, a person confirms their identity,
 * because a period deletes content, immediately or later.
 */
export function Retention({ workspace }: { workspace: Workspace }) {
  const { api } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<{ days: number; preview: RetentionPreview }>()
  const [isSaved, setSaved] = useState(false)
  const [typedDays, setTypedDays] = useStoredValue(String(workspace.retentionDays ?? ''))

  async function change(retentionDays: number | null, confirmation?: Confirmation) {
    const changed = await api.changeWorkspace({ retentionDays, ...confirmation })
    queryClient.setQueryData(['workspace', workspace.workspaceId], changed)
    setSaved(true)
  }
  const save = useMutation({
    mutationFn: async (days: number | null) => {
      setSaved(false)
      if (days === null) await change(null)
      else setDialog({ days, preview: await api.previewRetention(days) })
    },
  })
  const problem = save.error && asProblem(save.error)
  const submit = submitHandler(save, () => save.mutate(typedDays === '' ? null : Number(typedDays)))

  return (
    <section>
      <h2>Content retention</h2>
      <p>
        This many days after a task has ended, Handrail permanently deletes what the agent sent, the answers,
        questions, notes, drafts and the bodies of deliveries. It keeps who answered, when and with which
        action, the statistics and the audit log.
      </p>
      <form className="one-line above-12" onSubmit={submit}>
        <TextField
          label="Retention period in days"
          name="days"
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.retentionDays}
          step={1}
          placeholder="Keep until deleted"
          value={typedDays}
          onChange={({ target }) => setTypedDays(target.value)}
          help={`1 to ${formatCount(limits.retentionDays)} days. Leave empty to keep content until someone deletes it.`}
          readOnly={!isAtLeast('owner')}
        />
        {isAtLeast('owner') && (
          <button
            className="btn"
            type="submit"
            aria-disabled={save.isPending}
            aria-label={save.isPending ? undefined : 'Save retention period'}
          >
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
        )}
        {isSaved && (
          <Strip tone="success">
            {workspace.retentionDays
              ? `Content is kept for ${pluralize(workspace.retentionDays, 'day')} after a task ends.`
              : 'Content is kept until someone deletes it.'}
          </Strip>
        )}
        {problem && <ProblemStrip message="The retention period wasn't saved." problem={problem} />}
      </form>
      {dialog && (
        <ConfirmIdentityDialog
          title={`Save a retention period of ${pluralize(dialog.days, 'day')}?`}
          description={describePreview(dialog.preview, dialog.days)}
          confirmLabel={dialog.preview.tasks > 0 ? 'Delete and save' : 'Save'}
          failureMessage="The retention period wasn't saved."
          onSubmit={(confirmation) => change(dialog.days, confirmation)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function describePreview({ tasks, hasMore }: RetentionPreview, retentionDays: number): string {
  if (tasks === 0)
    return `No content is deleted now. Content is deleted ${pluralize(retentionDays, 'day')} after its task ends.`
  const ended = `ended more than ${pluralize(retentionDays, 'day')} ago`
  if (tasks === 1) return `1 task ${ended}. Its content will be permanently deleted now.`
  const count = `${hasMore ? 'More than ' : ''}${pluralize(tasks, 'task')}`
  return `${count} ${ended}. Their content will be permanently deleted now.`
}
