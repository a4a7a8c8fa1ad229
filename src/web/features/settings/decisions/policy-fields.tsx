import { useId } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import { groupPrefix } from '../../../../contract/group-prefix.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Group } from '../../../../contract/review.ts'
import type { Member } from '../../../../contract/workspace.ts'
import { pluralize } from '../../../lib/count.ts'
import { toPercent } from '../../../lib/numbers.ts'
import { fieldError } from '../../../lib/problem.ts'
import { useFacets } from '../../../lib/use-facets.ts'
import checkLineStyles from '../../../ui/check-line.module.css'
import { LabelledSelect } from '../../../ui/labelled-select.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { memberChoices, PickList } from './pick-list.tsx'
import type { PolicyDraft } from './policy-draft.ts'
import { TimeFields } from './time-fields.tsx'

const whoOptions = [
  ['every', 'Every member'],
  ['some', 'Only these groups and members'],
] as const

const neededOptions = Array.from(
  { length: limits.reviewersNeeded },
  (_, n) => [String(n + 1), n === 0 ? 'One answer is enough' : `${n + 1} people`] as const,
)

const maxDoubleReviewPercent = toPercent(limits.doubleReviewShare)

const declineOptions = [
  ['', 'The sender decides (default: either ends the task)'],
  ['end', 'Either ends the task'],
  ['collect', 'They count like other answers'],
] as const

type Props = {
  draft: PolicyDraft
  /** Only a new policy has fields for its app and type, because they can't be changed later. */
  isNew: boolean
  members: Member[]
  groups: Group[]
  problem: HandrailProblem | null
  reviewersError: string | undefined
  onChange: (change: Partial<PolicyDraft>) => void
}

export function PolicyFields(props: Props) {
  const { draft, isNew, problem, onChange } = props
  const isSingle = draft.needed === 1
  return (
    <>
      {isNew && <AppliesToFields {...props} />}
      <ReviewerFields {...props} />
      <SettingRow
        title="How many must agree"
        help="Same action and same values. Free text may differ. The sender can require more people."
      >
        <LabelledSelect
          label="Answers needed"
          value={String(draft.needed)}
          options={neededOptions}
          onChange={(needed) => onChange({ needed: Number(needed) })}
        />
        <LabelledSelect
          label="What “Reject” and “Mark done” do"
          value={draft.onDecline}
          options={declineOptions}
          onChange={(onDecline) => onChange({ onDecline: onDecline as PolicyDraft['onDecline'] })}
        />
      </SettingRow>
      {isSingle && (
        <SettingRow title="Double reviews" help="Shows how much people agree.">
          <TextField
            label="Percent of tasks that two people answer"
            type="number"
            inputMode="decimal"
            min={0}
            max={maxDoubleReviewPercent}
            step="any"
            placeholder="0"
            value={draft.doubleReviewPercent}
            onChange={({ target }) => onChange({ doubleReviewPercent: target.value })}
            help={`0 to ${maxDoubleReviewPercent}, drawn at random. Both answer without seeing the other's answer.`}
            error={fieldError(problem, 'doubleReviewShare')}
          />
        </SettingRow>
      )}
      <TimeFields {...props} />
      <SettingRow title="Slack" help="Whether tasks can be answered in Slack.">
        <label className={checkLineStyles.checkLine}>
          <input
            type="checkbox"
            checked={draft.linkOnly}
            onChange={({ target }) => onChange({ linkOnly: target.checked })}
          />
          <span>
            Don't allow answers in Slack
            <small>Slack messages only link to the task.</small>
          </span>
        </label>
      </SettingRow>
    </>
  )
}

function AppliesToFields({ draft, problem, onChange }: Props) {
  const id = useId()
  const facets = useFacets(true)
  const fields = [
    ['app', 'App', facets?.apps, limits.app],
    ['type', 'Type', facets?.types, limits.type],
  ] as const
  const isEmpty = draft.app.trim() === '' && draft.type.trim() === ''
  return (
    <SettingRow title="Applies to" help="Tasks of an app, of a type, or of both.">
      {fields.map(([name, label, suggestions, maxLength]) => (
        <div key={name}>
          <TextField
            label={label}
            autoComplete="off"
            spellCheck={false}
            maxLength={maxLength}
            placeholder={`Every ${name}`}
            list={`${id}-${name}`}
            value={draft[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
            error={fieldError(problem, name)}
            required={isEmpty}
          />
          <datalist id={`${id}-${name}`}>
            {suggestions?.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </div>
      ))}
    </SettingRow>
  )
}

function ReviewerFields({ draft, members, groups, problem, reviewersError, onChange }: Props) {
  const isSingle = draft.needed === 1
  const choices = [
    ...groups.map(({ slug, name, members }) => ({
      value: `${groupPrefix}${slug}`,
      label: name,
      help: `${groupPrefix}${slug} · ${pluralize(members.length, 'member')}`,
    })),
    ...memberChoices(members),
  ]
  return (
    <SettingRow title="Who may answer" help="Every member can read the task.">
      <LabelledSelect
        label="Reviewers"
        value={draft.isRestricted ? 'some' : 'every'}
        options={whoOptions}
        onChange={(who) => onChange({ isRestricted: who === 'some' })}
      />
      {draft.isRestricted && (
        <PickList
          label="Groups and members"
          choices={choices}
          picked={draft.by}
          max={limits.reviewers}
          onPick={(by) => onChange({ by })}
          error={reviewersError ?? problem?.errors.find(({ path }) => path.startsWith('by'))?.message}
        />
      )}
      <label className={checkLineStyles.checkLine}>
        <input
          type="checkbox"
          checked={isSingle && draft.requesterMayAnswer}
          disabled={!isSingle}
          onChange={({ target }) => onChange({ requesterMayAnswer: target.checked })}
        />
        <span>
          The people behind the task may answer
          <small>
            They sent the task, created or rotated its API key, or connected its app. Never allowed for tasks
            that need more than one answer.
          </small>
        </span>
      </label>
    </SettingRow>
  )
}
