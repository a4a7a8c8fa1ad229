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
import { FormProblem } from '../../../ui/strip.tsx'
import { describePolicy, describeScope } from './describe-policy.ts'
import styles from './policy-dialog.module.css'
import { draftOf, type PolicyDraft, settingsOf } from './policy-draft.ts'
import { PolicyFields } from './policy-fields.tsx'
import { PolicyPreviewLine } from './policy-preview-line.tsx'

/** The fields that show their errors. */
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

/** Creates a policy, or changes one. A sentence says what the fields mean while one edits. */
export function PolicyDialog({ policy, members, groups, onClose }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const formId = useId()
  const [draft, setDraft] = useState(() => draftOf(policy))
  const [hasTried, setTried] = useState(false)
  const settings = settingsOf(draft)
  const scope = { app: draft.app.trim() || undefined, type: draft.type.trim() || undefined }
  const hasScope = scope.app !== undefined || scope.type !== undefined
  const save = useMutation({
    mutationFn: () =>
      policy ? api.changePolicy(policy.policyId, settings) : api.createPolicy({ ...scope, ...settings }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['policies', workspaceId] })
      onClose()
    },
  })
  const problem = save.error && asProblem(save.error)
  const isNobody = draft.isRestricted && draft.by.length === 0
  const rules = describePolicy(settings, members, groups)
  const sentence = `${describeScope(scope)}: ${rules.charAt(0).toLowerCase()}${rules.slice(1)}`
  useAnnounceAfterPause(sentence)
  return (
    <Dialog
      title={policy ? 'Edit policy' : 'Create policy'}
      description="Applies to new tasks. Open tasks keep their review."
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
      <section className={styles.says} aria-label="What the policy says">
        <p>{bidiSafe(sentence)}</p>
        <div className="contents" role="status">
          {hasScope && !isNobody && <PolicyPreviewLine policy={{ ...scope, ...settings }} />}
        </div>
      </section>
      <form
        id={formId}
        onSubmit={submitHandler(save, (_, form) => {
          setTried(true)
          if (isNobody) form.querySelector<HTMLElement>('fieldset input')?.focus()
          else save.mutate()
        })}
      >
        <PolicyFields
          draft={draft}
          isNew={policy === undefined}
          members={members}
          groups={groups}
          problem={problem}
          reviewersError={hasTried && isNobody ? 'Select at least one group or member.' : undefined}
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
