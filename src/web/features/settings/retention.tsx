import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { RetentionPreview, Workspace } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Retention of ended tasks. Asks for confirmation if saving deletes content immediately. */
export function Retention({ workspace }: { workspace: Workspace }) {
  const { api } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<{ days: number; preview: RetentionPreview }>()
  const [isSaved, setSaved] = useState(false)

  async function change(retentionDays: number | null) {
    const changed = await api.changeWorkspace({ retentionDays })
    queryClient.setQueryData(['workspace', workspace.workspaceId], changed)
    setSaved(true)
  }
  const save = useMutation({
    mutationFn: async (days: number | null) => {
      setSaved(false)
      const preview = days === null ? undefined : await api.previewRetention(days)
      if (days !== null && preview && preview.tasks > 0) setDialog({ days, preview })
      else await change(days)
    },
  })
  const problem = save.error && asProblem(save.error)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const days = String(new FormData(event.currentTarget).get('days'))
    save.mutate(days === '' ? null : Number(days))
  }

  return (
    <section>
      <h2>How long content is kept</h2>
      <p>
        So many days after a task has ended, what the agent sent, what was answered, messages, drafts and the
        bodies of deliveries are deleted for good. Who answered, when and with which action, the statistics
        and the audit stay.
      </p>
      <form className="one-line above-12" onSubmit={submit}>
        <TextField
          label="Days"
          name="days"
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.retentionDays}
          step={1}
          placeholder="Until someone deletes it"
          defaultValue={workspace.retentionDays ?? ''}
          key={workspace.retentionDays}
          help={`From 1 to ${limits.retentionDays.toLocaleString('en')}, or empty.`}
          readOnly={!isAtLeast('owner')}
        />
        {isAtLeast('owner') && (
          <button className="btn" type="submit" aria-disabled={save.isPending} aria-label="Save the days">
            {save.isPending ? 'Saving' : 'Save'}
          </button>
        )}
        {isSaved && (
          <Strip tone="info">
            {workspace.retentionDays
              ? `Content is kept for ${days(workspace.retentionDays)} after a task has ended.`
              : 'Content is kept until someone deletes it.'}
          </Strip>
        )}
        {problem && <ProblemStrip what="Not saved." problem={problem} />}
      </form>
      {dialog && (
        <ConfirmDialog
          title={`Keep content for ${days(dialog.days)}`}
          about={`${describePreview(dialog.preview)} deleted now, for good.`}
          confirm="Delete and keep to it"
          keep="Change nothing"
          onConfirm={() => change(dialog.days)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count.toLocaleString('en')} days`
}

function describePreview({ tasks, stopped }: RetentionPreview): string {
  if (tasks === 1) return '1 task ended longer ago. Its content is'
  return `${stopped ? 'More than ' : ''}${tasks.toLocaleString('en')} tasks ended longer ago. Their content is`
}
