import type { HandrailProblem } from '../../../../client/problem.ts'
import { limits } from '../../../../contract/limits.ts'
import type { ChatFor } from '../../../../contract/notification.ts'
import type { Group, Policy } from '../../../../contract/review.ts'
import type { SlackChannel } from '../../../../contract/slack.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { fieldError } from '../../../lib/problem.ts'
import { LabelledSelect } from '../../../ui/labelled-select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeTasks } from '../decisions/describe-policy.ts'
import styles from './slack.module.css'

const priorityOptions: [ChatFor, string][] = [
  ['all', 'All'],
  ['high', 'Urgent and high'],
  ['urgent', 'Urgent'],
]

type Props = {
  /** Position in the list, from 0. */
  n: number
  channel: SlackChannel
  policies: Policy[]
  groups: Group[]
  problem: HandrailProblem | null
  onChange: (changed: Partial<SlackChannel>) => void
  onRemove: () => void
  /** undefined: no saved channel has this id, so the service can't send a test message to it. */
  onTest: (() => void) | undefined
}

export function ChannelFields({ n, channel, policies, groups, problem, onChange, onRemove, onTest }: Props) {
  const { channelId, name, policyId, groupId } = channel
  const label = escapeBidi(name) || `channel ${n + 1}`
  const chosen = policyId ?? groupId ?? ''
  const taskOptions: [string, string][] = [
    ['', 'All tasks'],
    ...policies.map((policy) => [policy.policyId, describeTasks(policy)] as [string, string]),
    ...groups.map((group) => [group.groupId, `Tasks of group ${group.name}`] as [string, string]),
  ]
  if (!taskOptions.some(([id]) => id === chosen)) taskOptions.push([chosen, 'Deleted policy or group'])
  return (
    <fieldset className={styles.channel}>
      <legend className="sr-only">{label}</legend>
      <TextField
        label="Channel ID"
        autoComplete="off"
        spellCheck={false}
        placeholder="C0123456789"
        value={channelId}
        onChange={({ target }) => onChange({ channelId: target.value.trim() })}
        help={n === 0 ? "At the end of the channel's details in Slack." : undefined}
        error={fieldError(problem, `channels[${n}].channelId`)}
        required
      />
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={limits.slackChannelName}
        placeholder="#refunds"
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        error={fieldError(problem, `channels[${n}].name`)}
        required
      />
      <LabelledSelect
        label="Tasks"
        value={chosen}
        options={taskOptions}
        onChange={(id) =>
          onChange({
            policyId: policies.find((policy) => policy.policyId === id)?.policyId,
            groupId: groups.find((group) => group.groupId === id)?.groupId,
          })
        }
      />
      <LabelledSelect
        label="Priorities"
        value={channel.for}
        options={priorityOptions}
        onChange={(priorities) => onChange({ for: priorities as ChatFor })}
      />
      <div className={styles.foot}>
        {onTest && (
          <button type="button" className="btn small" onClick={onTest}>
            Send test message<span className="sr-only"> to {label}</span>
          </button>
        )}
        <button type="button" className="btn small danger" onClick={onRemove}>
          Remove<span className="sr-only"> {label}</span>
        </button>
      </div>
    </fieldset>
  )
}
