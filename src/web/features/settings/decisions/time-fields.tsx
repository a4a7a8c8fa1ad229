import type { HandrailProblem } from '../../../../client/problem.ts'
import { groupPrefix } from '../../../../contract/group-prefix.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Group } from '../../../../contract/review.ts'
import type { Member } from '../../../../contract/workspace.ts'
import { fieldError } from '../../../lib/problem.ts'
import checkLineStyles from '../../../ui/check-line.module.css'
import { LabelledSelect } from '../../../ui/labelled-select.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { PolicyDraft, StepDraft } from './policy-draft.ts'
import styles from './time-fields.module.css'

type Props = {
  draft: PolicyDraft
  members: Member[]
  groups: Group[]
  problem: HandrailProblem | null
  onChange: (change: Partial<PolicyDraft>) => void
}

/** Whom tasks are assigned to, by when they should be answered, and when they are escalated to whom. */
export function TimeFields({ draft, members, groups, problem, onChange }: Props) {
  const assignees = assigneeOptions(members, groups)
  return (
    <>
      <SettingRow title="Assign to" help="Everyone who may answer still can.">
        <LabelledSelect
          label="Assignee"
          value={draft.assignTo}
          options={[['', 'No one, unless the sender names someone'], ...assignees]}
          error={fieldError(problem, 'assignTo')}
          onChange={(assignTo) => onChange({ assignTo })}
        />
      </SettingRow>
      <SettingRow
        title="By when"
        help="From the creation of the task. Time during which the task waits for the agent doesn't count."
      >
        <Minutes
          label="Answer within (minutes)"
          value={draft.answerWithin}
          placeholder="No limit"
          error={fieldError(problem, 'answerWithinMinutes')}
          onChange={(answerWithin) => onChange({ answerWithin })}
        />
        <Minutes
          label="Remind after (minutes)"
          value={draft.remindAfter}
          placeholder="Never"
          error={fieldError(problem, 'remindAfterMinutes')}
          onChange={(remindAfter) => onChange({ remindAfter })}
        />
      </SettingRow>
      <Escalation draft={draft} assignees={assignees} problem={problem} onChange={onChange} />
    </>
  )
}

/** The groups and members. A name that several have is followed by group:<slug> or the address. */
function assigneeOptions(members: Member[], groups: Group[]) {
  const assignees = [
    ...groups.map(({ slug, name }) => [`${groupPrefix}${slug}`, name] as const),
    ...members.map(({ email, name }) => [email, name] as const),
  ]
  const isShared = (name: string) => assignees.filter(([, other]) => other === name).length > 1
  return assignees.map(([value, name]) => [value, isShared(name) ? `${name} (${value})` : name] as const)
}

type EscalationProps = Pick<Props, 'draft' | 'problem' | 'onChange'> & {
  assignees: (readonly [value: string, label: string])[]
}

function Escalation({ draft: { steps }, assignees, problem, onChange }: EscalationProps) {
  const change = (n: number, changed: Partial<StepDraft>) =>
    onChange({ steps: steps.map((step, at) => (at === n ? { ...step, ...changed } : step)) })
  return (
    <SettingRow
      title="Then escalate"
      help={`Minutes from the creation of the task. At most ${limits.escalationSteps} steps.`}
    >
      {steps.map((step, n) => (
        <fieldset key={n} className={styles.step}>
          <legend className="sr-only">Step {n + 1}</legend>
          <Minutes
            label="After (minutes)"
            value={step.after}
            min={Number(steps[n - 1]?.after ?? 0) + 1}
            isRequired
            error={
              fieldError(problem, `escalate[${n}].afterMinutes`) ??
              (n === 0 ? fieldError(problem, 'escalate') : undefined)
            }
            onChange={(after) => change(n, { after })}
          />
          <LabelledSelect
            label="Hand the task to"
            value={step.to}
            options={[['', 'Choose'], ...assignees]}
            isRequired
            error={fieldError(problem, `escalate[${n}].to`)}
            onChange={(to) => change(n, { to })}
          />
          <div className={styles.foot}>
            <label className={checkLineStyles.checkLine}>
              <input
                type="checkbox"
                checked={step.raisePriority}
                onChange={({ target }) => change(n, { raisePriority: target.checked })}
              />
              <span>Raise the priority by one level</span>
            </label>
            <button
              type="button"
              className="text-button"
              onClick={() => onChange({ steps: steps.filter((_, at) => at !== n) })}
            >
              Remove step {n + 1}
            </button>
          </div>
        </fieldset>
      ))}
      {steps.length < limits.escalationSteps && (
        <div>
          <button
            type="button"
            className="text-button"
            onClick={() => onChange({ steps: [...steps, { after: '', to: '', raisePriority: false }] })}
          >
            Add a step
          </button>
        </div>
      )}
    </SettingRow>
  )
}

type MinutesProps = {
  label: string
  value: string
  min?: number
  placeholder?: string
  isRequired?: boolean
  error: string | undefined
  onChange: (value: string) => void
}

function Minutes({ label, value, min = 1, placeholder, isRequired = false, error, onChange }: MinutesProps) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={min}
      max={limits.policyMinutes}
      step={1}
      placeholder={placeholder}
      required={isRequired}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={error}
    />
  )
}
