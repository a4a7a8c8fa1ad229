import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Group, Policy } from '../../../../contract/review.ts'
import type { Member } from '../../../../contract/workspace.ts'
import { asProblem } from '../../../lib/problem.ts'
import { submitHandler } from '../../../lib/submit-handler.ts'
import { useAnnounceAfterPause } from '../../../lib/use-announce-after-pause.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormDialogFooter } from '../../../ui/form-dialog-footer.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { describePolicy, describeTasks } from './describe-policy.ts'
import styles from './policy-dialog.module.css'
import { changeOf, draftOf, type PolicyDraft, settingsOf } from './policy-draft.ts'
import { PolicyFields } from './policy-fields.tsx'
import { PolicyPreviewLine } from './policy-preview-line.tsx'

/** Paths whose errors a field shows. */
function shownPaths({ isRestricted, needed, steps }: PolicyDraft, isNew: boolean): string[] {
  return [
    ...(isNew ? ['app', 'type'] : []),
    ...(isRestricted ? ['by'] : []),
    ...(needed === 1 ? ['doubleReviewShare'] : []),
    'assignTo',
    'answerWithinMinutes',
    'remindAfterMinutes',
    ...(steps.length > 0 ? ['escalate'] : []),
    ...steps.flatMap((_, n) => [`escalate[${n}].afterMinutes`, `escalate[${n}].to`]),
  ]
}

type Props = { policy: Policy | undefined; members: Member[]; groups: Group[]; onClose: () => void }

/** Creates a policy, or changes one. The text above the form says what the entered settings mean. */
export function PolicyDialog({ policy, members, groups, onClose }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const formId = useId()
  const [draft, setDraft] = useState(() => draftOf(policy))
  const [hasTried, setTried] = useState(false)
  const settings = settingsOf(draft)
  const appliesTo = { app: draft.app.trim() || undefined, type: draft.type.trim() || undefined }
  const hasAppOrType = appliesTo.app !== undefined || appliesTo.type !== undefined
  async function saveChanges(before: Policy) {
    const change = changeOf(before, draft)
    if (Object.keys(change).length > 0) await api.changePolicy(before.policyId, change)
  }
  const save = useMutation<unknown>({
    mutationFn: () => (policy ? saveChanges(policy) : api.createPolicy({ ...appliesTo, ...settings })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['policies', workspaceId] }),
  })
  const problem = save.error && asProblem(save.error)
  const hasNoReviewers = draft.isRestricted && draft.by.length === 0
  const sentences = describePolicy(settings, members, groups)
  const description = `${describeTasks(appliesTo)}: ${sentences.charAt(0).toLowerCase()}${sentences.slice(1)}`
  useAnnounceAfterPause(description)
  return (
    <Dialog
      title={policy ? 'Edit policy' : 'Create policy'}
      description="Applies to new tasks. Open tasks keep their review; only “Don't allow answers in Slack” applies to them too."
      isWide
      onClose={onClose}
      footer={
        <FormDialogFooter
          formId={formId}
          submitLabel={policy ? 'Save policy' : 'Create policy'}
          isPending={save.isPending}
          onClose={onClose}
        />
      }
    >
      <section className={styles.summary} aria-label="Summary of the policy">
        <p>{bidiSafe(description)}</p>
        <div className="contents" role="status">
          {hasAppOrType && !hasNoReviewers && <PolicyPreviewLine policy={{ ...appliesTo, ...settings }} />}
        </div>
      </section>
      <form
        id={formId}
        onSubmit={submitHandler(save, (_, form) => {
          setTried(true)
          if (hasNoReviewers) form.querySelector<HTMLElement>('fieldset input')?.focus()
          // `onSuccess` is not called once this dialog is closed, because another one may be open.
          else save.mutate(undefined, { onSuccess: onClose })
        })}
      >
        <PolicyFields
          draft={draft}
          isNew={policy === undefined}
          members={members}
          groups={groups}
          problem={problem}
          reviewersError={hasTried && hasNoReviewers ? 'Select at least one group or member.' : undefined}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
        <FormProblem
          message="The policy wasn't saved."
          problem={problem}
          fields={shownPaths(draft, policy === undefined)}
        />
      </form>
    </Dialog>
  )
}
