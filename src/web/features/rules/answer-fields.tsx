import type { UseQueryResult } from '@tanstack/react-query'
import { type RefObject, Suspense, useMemo, useState } from 'react'
import type { Action } from '../../../contract/action.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { Violation } from '../../../contract/violation.ts'
import { asProblem } from '../../lib/problem.ts'
import type { FormHandle } from '../../parts/form/schema-form.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { LabelledSelect } from '../../ui/labelled-select.tsx'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { fieldsWithInitialValue, formWithout } from './kept-fields.ts'
import type { RuleDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'

const SchemaForm = onDemandPart(() => import('../../parts/form/schema-form.tsx'))

type Props = {
  draft: RuleDraft
  /** The newest task of the app and type that still has its content. null: there is none. */
  query: UseQueryResult<TaskRecord | null>
  error: string | undefined
  /** Errors of the fields of the action's form. */
  formErrors: Violation[] | undefined
  form: RefObject<FormHandle | null>
  onChange: (change: Partial<RuleDraft>) => void
}

/** The action that the rule answers with, and the fields of its form. */
export function AnswerFields({ draft, query, error, formErrors, form, onChange }: Props) {
  const task = query.data
  const actions = task?.actions ?? []
  const action = actions.find(({ id }) => id === draft.actionId)
  const isUnknown = draft.actionId !== '' && !action
  const options = [
    ['', 'Choose an answer'] as const,
    ...actions.map(({ id, title }) => [id, title] as const),
    ...(isUnknown ? [[draft.actionId, `${draft.actionId} (not in the newest task)`] as const] : []),
  ]
  return (
    <SettingRow title="Answer" help="One of the actions of the newest task.">
      <LabelledSelect
        label="Answer"
        hidesLabel
        value={draft.actionId}
        options={options}
        error={error}
        onChange={(actionId) => onChange({ actionId, data: {} })}
      />
      {query.error && task === undefined && (
        <ProblemStrip
          message="The newest task couldn't be loaded."
          problem={asProblem(query.error)}
          onRetry={() => void query.refetch()}
        />
      )}
      {task === null && draft.type !== '' && (
        <p className="text-meta text-warn-ink">
          No recent task of this app and type still has its content, so the actions are unknown.
        </p>
      )}
      {action && !action.schema && <p className="text-meta text-ink-2">This action has no form.</p>}
      {action?.schema && (
        <ActionForm
          key={action.id}
          action={action}
          context={task?.context?.data}
          data={draft.data}
          errors={formErrors}
          form={form}
          onChange={(data) => onChange({ data })}
        />
      )}
    </SettingRow>
  )
}

type ActionFormProps = {
  action: Action
  context: Record<string, unknown> | undefined
  data: Record<string, unknown>
  errors: Violation[] | undefined
  form: RefObject<FormHandle | null>
  onChange: (data: Record<string, unknown>) => void
}

/**
 * The form of the action. Fields that start with a value are only listed, because a rule keeps
 * that value; a button per field that is not read-only adds it to the form.
 */
function ActionForm({ action, context, data, errors, form, onChange }: ActionFormProps) {
  // Names of the fields that the rule sets instead of keeping what they start with.
  const [overridden, setOverridden] = useState(() => Object.keys(data))
  const kept = fieldsWithInitialValue(action).filter(({ name }) => !overridden.includes(name))
  // As a string, so that equal names do not render the form again.
  const keptNames = JSON.stringify(kept.map(({ name }) => name))
  const schema = useMemo(() => formWithout(action, JSON.parse(keptNames)), [action, keptNames])
  return (
    <>
      {kept.length > 0 && (
        <div>
          <p className="text-meta text-ink-2">
            In each task, the rule keeps what these fields of the form start with:
          </p>
          <ul className={styles.kept}>
            {kept.map(({ name, title, isReadOnly }) => (
              <li key={name}>
                <bdi>{bidiSafe(title)}</bdi>
                {!isReadOnly && (
                  <button
                    type="button"
                    className="text-button"
                    onClick={() => setOverridden([...overridden, name])}
                  >
                    Set a value<span className="sr-only"> for {bidiSafe(title)}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {schema && (
        <ErrorBoundary fallback={() => <p className="text-warn-ink">This form can't be shown.</p>}>
          <Suspense fallback={<Skeleton height="2rem" />}>
            <SchemaForm
              // The fields of the form are fixed when it is mounted.
              key={keptNames}
              schema={schema}
              ui={action.ui}
              context={context}
              initial={data}
              errors={errors}
              onChange={onChange}
              handle={form}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
