import { Pencil, Radio } from 'lucide-react'
import { memo } from 'react'
import { age, fullDate, isPressing, left } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { plain, visible } from '../../ui/visible-text.tsx'
import type { NearRow } from './listed-rows.ts'

type Props = {
  row: NearRow
  selected: boolean
  seen: boolean
  me: string
  now: number
  position: number
  of: number
  onOpen: (taskId: string) => void
}

export const TaskRow = memo(function TaskRow({ row, selected, seen, me, now, position, of, onOpen }: Props) {
  const { claim, expiresAt, ending } = row
  const viewer = claim && claim.userId !== me && Date.parse(claim.until) > now ? claim.name : undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys, its rows are never focused
    <div
      className={`row${seen ? ' seen' : ''}${ending ? ' ended' : ''}`}
      role="option"
      tabIndex={-1}
      id={`row-${row.taskId}`}
      aria-selected={selected}
      aria-setsize={of}
      aria-posinset={position}
      onClick={() => onOpen(row.taskId)}
    >
      <PriorityMark priority={row.priority} named />
      <span className="name" title={plain(row.name)}>
        <bdi>{visible(row.name)}</bdi>
      </span>
      {expiresAt ? (
        <time
          className={isPressing(expiresAt, now) ? 'age due' : 'age'}
          dateTime={expiresAt}
          title={`Deadline ${fullDate(expiresAt)}`}
        >
          {left(expiresAt, now)}
        </time>
      ) : (
        <time className="age" dateTime={row.createdAt} title={fullDate(row.createdAt)}>
          {age(row.createdAt, now)}
        </time>
      )}
      <span className="sub">
        {ending ? (
          endingInWords(ending)
        ) : (
          <>
            <b>
              <bdi>{visible(row.app)}</bdi>
            </b>
            <span className="ty">
              {' · '}
              <bdi>{row.type}</bdi>
            </span>
            {row.snippet && (
              <>
                {' · '}
                <bdi>{visible(row.snippet)}</bdi>
              </>
            )}
          </>
        )}
      </span>
      <span className="flags">
        {row.hasDraft && <Icon of={Pencil} name="Draft saved" />}
        {row.delivery === 'sse' && <Icon of={Radio} name="Agent is waiting live" className="live" />}
        {viewer && <Avatar name={viewer} title={`${viewer} has it open`} />}
      </span>
    </div>
  )
})

function endingInWords(ending: NonNullable<NearRow['ending']>): string {
  if (ending.how === 'handled') return ending.by ? `${ending.by} answered this` : 'Answered'
  return ending.how === 'cancelled' ? 'The agent cancelled this' : 'Its deadline has passed'
}
