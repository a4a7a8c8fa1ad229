import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { Group, Policy } from '../../../../contract/review.ts'
import type { SlackChannel } from '../../../../contract/slack.ts'
import { asProblem } from '../../../lib/problem.ts'
import { submitHandler } from '../../../lib/submit-handler.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'
import { useStoredValue } from '../use-stored-value.ts'
import { ChannelFields } from './channel-fields.tsx'
import styles from './slack.module.css'

type Props = { saved: SlackChannel[]; policies: Policy[]; groups: Group[] }

type Row = SlackChannel & { key: number }

let lastKey = 0

const rowOf = (channel: SlackChannel): Row => ({ ...channel, key: ++lastKey })
const newRow = () => rowOf({ channelId: '', name: '', for: 'all' })
const rowsOf = (saved: SlackChannel[]) => (saved.length > 0 ? saved.map(rowOf) : [newRow()])

/** The channels, and which tasks each of them gets. All channels are saved together. */
export function ChannelForm({ saved, policies, groups }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  // Another admin's channels replace those that were shown from the cache, so that saving keeps them.
  const [rows, setRows] = useStoredValue(useMemo(() => rowsOf(saved), [saved]))
  const save = useMutation({
    mutationFn: () => api.setSlackChannels({ channels: rows.map(({ key: _, ...channel }) => channel) }),
    onSuccess: (slack) => queryClient.setQueryData(['slack', workspaceId], slack),
  })
  const test = useMutation({ mutationFn: ({ channelId }: Row) => api.sendTestSlack(channelId) })
  const problem = save.error && asProblem(save.error)
  const isSaved = ({ channelId }: Row) => saved.some((channel) => channel.channelId === channelId)
  function change(key: number, changed: Partial<SlackChannel>) {
    save.reset()
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)))
  }
  return (
    <form className={styles.channels} onSubmit={submitHandler(save, () => save.mutate())}>
      {rows.map((row, n) => (
        <ChannelFields
          key={row.key}
          n={n}
          channel={row}
          policies={policies}
          groups={groups}
          problem={problem}
          onChange={(changed) => change(row.key, changed)}
          onRemove={() => {
            save.reset()
            setRows(rows.filter(({ key }) => key !== row.key))
          }}
          onTest={isSaved(row) ? () => !test.isPending && test.mutate(row) : undefined}
        />
      ))}
      <div className="cluster">
        {rows.length < limits.slackChannels && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              save.reset()
              setRows([...rows, newRow()])
            }}
          >
            <Icon of={Plus} /> Add channel
          </button>
        )}
        {(rows.length > 0 || saved.length > 0) && (
          <button className="btn primary" type="submit" aria-disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save channels'}
          </button>
        )}
      </div>
      {save.isSuccess && <Strip tone="success">The channels were saved.</Strip>}
      <FormProblem
        message="The channels weren't saved."
        problem={problem}
        fields={rows.flatMap((_, n) => [`channels[${n}].channelId`, `channels[${n}].name`])}
      />
      {test.isSuccess && (
        <Strip tone="success">
          The test message to <bdi>{bidiSafe(test.variables.name)}</bdi> is on its way. If it doesn't arrive,
          see Settings, Webhooks.
        </Strip>
      )}
      {test.error && <ProblemStrip message="The test message wasn't sent." problem={asProblem(test.error)} />}
    </form>
  )
}
