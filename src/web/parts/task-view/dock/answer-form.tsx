import { Suspense, useCallback, useMemo } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { onDemandPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import { SnippetsContext } from '../../form/snippets.tsx'
import { frequentTexts } from '../answering/past-texts.ts'
import type { Answering } from '../answering/use-answering.ts'
import { usePastAnswers } from '../answering/use-past-answers.ts'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import { editsInDrafts } from '../drafts/edits-in-drafts.ts'
import type { TaskDrafts } from '../drafts/use-drafts.ts'
import { useInlineEditing } from '../inline-editing/use-inline-editing.ts'
import styles from './answer-form.module.css'
import answerSheetStyles from './answer-sheet.module.css'
import dockStyles from './dock.module.css'

// The form library is a large chunk, which actions without a form never load.
const SchemaForm = onDemandPart(() => import('../../form/schema-form.tsx'))

type Props = {
  action: Action
  task: TaskRecord
  answering: Answering
  isEnded: boolean
  drafts: TaskDrafts
}

export function AnswerForm({ action, task, answering, isEnded, drafts }: Props) {
  const display = useTaskDisplay()
  const paths = useInlineEditing()?.pathsOf(action.id)
  const pathOf = useCallback((source: string) => paths?.get(source), [paths])
  const draft = drafts.list.find((other) => other.actionId === action.id)
  const { answers: past } = usePastAnswers(task.type, action.id, action.schema !== undefined)
  const snippetsOf = useMemo(
    () => (property: string) =>
      frequentTexts(
        past.map((answer) => answer[property]),
        { minCount: 2 },
      ),
    [past],
  )
  if (!action.description && !action.schema && !answering.problem) return null
  return (
    <div className={`${styles.answer} ${dockStyles.answer} ${answerSheetStyles.answer}`} data-answer-form>
      {action.description && <p className={styles.about}>{bidiSafe(action.description)}</p>}
      {answering.problem && <ProblemStrip message="Your answer wasn't sent." problem={answering.problem} />}
      {action.schema && (
        <ErrorBoundary
          fallback={() => (
            <p className="text-warn-ink">
              This form can't be shown. Choose another action, or reject the task and explain why.
            </p>
          )}
        >
          <Suspense fallback={<FormSkeleton />}>
            {drafts.isLoading ? (
              <FormSkeleton />
            ) : (
              <SnippetsContext value={snippetsOf}>
                <SchemaForm
                  schema={action.schema}
                  ui={action.ui}
                  context={task.context?.data}
                  initial={draft?.data}
                  edited={
                    draft
                      ? undefined
                      : editsInDrafts(action, answering.actions, drafts.list, task.context?.data)
                  }
                  pathOf={pathOf}
                  onEdited={answering.setEdited}
                  errors={answering.fieldErrors}
                  isDisabled={isEnded || answering.isPending}
                  autoFocus={answering.chosenBy !== undefined}
                  onAutoFocused={answering.onFormFocused}
                  onChange={(data) => answering.changeDraft(action.id, data)}
                  onData={(data) => display?.setFormData(action.id, data)}
                  onEnter={() => void answering.submitByEnter()}
                  onErrors={answering.setFormErrors}
                  panes={display?.paneDigits(action.id)}
                  handle={answering.form}
                />
              </SnippetsContext>
            )}
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading form">
      <Skeleton width="8rem" height="0.625rem" />
      <Skeleton className="above-8" height="2rem" />
    </div>
  )
}
