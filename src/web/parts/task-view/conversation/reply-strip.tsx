import { Bot } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { pluralize } from '../../../lib/count.ts'
import { lastReadReply, markReplyRead } from '../../../lib/read-replies.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { formatAgo } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { useHideNames } from '../comparisons/task-display.ts'
import { asText, ChangedValue } from '../revisions/changed-value.tsx'
import type { PartChange } from '../revisions/revision-changes.ts'
import { useRevisionChanges } from '../revisions/use-revision-changes.ts'
import { isReplyOrRevision } from './conversation-entries.ts'
import styles from './reply-strip.module.css'

type Props = {
  task: MemberTaskRecord
  /** Called with the changes that are not marked as read; without them if no reply is unread. */
  onUnread: (changes: PartChange[] | undefined) => void
}

/** What the agent replied and changed, until the person marks it as read. */
export function ReplyStrip({ task, onUnread }: Props) {
  const now = useNow()
  const hide = useHideNames()
  const [readId, setReadId] = useState(() => lastReadReply(task.taskId))
  const replies = task.updates?.filter(isReplyOrRevision) ?? []
  // If no reply was read, all are unread.
  const unread = replies.slice(replies.findIndex(({ updateId }) => updateId === readId) + 1)
  const firstRevision = unread.find(({ revision }) => revision !== undefined)?.revision
  const seenRevision = firstRevision === undefined ? task.revision : firstRevision - 1
  const changes = useRevisionChanges(task, seenRevision, task.revision) ?? noChanges
  const latest = unread.at(-1)
  useShortcuts({ t: goToReply })
  const isUnread = latest !== undefined && task.status === 'open'
  useEffect(() => {
    onUnread(isUnread ? changes : undefined)
    return () => onUnread(undefined)
  }, [onUnread, isUnread, changes])
  if (!isUnread) return null

  function markAsRead(updateId: string) {
    markReplyRead(task.taskId, updateId)
    setReadId(updateId)
  }

  const hasReplied = unread.some(({ answers }) => answers !== undefined)
  const what = [
    hasReplied && 'replied',
    changes.length > 0 && `changed ${pluralize(changes.length, 'thing')}`,
  ]
  return (
    <section id="changes" className={styles.strip} aria-label="New from the agent">
      <Icon of={Bot} />
      <div className={styles.text}>
        <p>
          {/* The time is outside, because screen readers would announce it whenever it changes. */}
          <b role="status">The agent {what.filter(Boolean).join(' and ') || 'revised the task'}</b>{' '}
          <span className={styles.ago}>{formatAgo(latest.at, now)}</span>
          {changes.length > 0 && <ShortChanges changes={changes} />}
        </p>
        <p className={styles.message} dir="auto">
          {bidiSafe(hide(latest.message))}
        </p>
      </div>
      <button type="button" className="btn small quiet" onClick={goToReply}>
        Go to the {latest.answers === undefined ? 'revision' : 'reply'} <KeyCap>T</KeyCap>
      </button>
      <button type="button" className="btn small quiet" onClick={() => markAsRead(latest.updateId)}>
        Mark as read
      </button>
    </section>
  )
}

/** Scrolls to the newest reply or revision, and focuses the conversation. */
function goToReply() {
  const conversation = document.getElementById('conversation')
  const replies = conversation?.querySelectorAll('[data-from-agent]')
  replies?.[replies.length - 1]?.scrollIntoView({ block: 'center' })
  conversation?.focus({ preventScroll: true })
}

const noChanges: PartChange[] = []
const maxParts = 3
const maxShortCharacters = 24

/**
 * "Refund 178 89, Mail": the names of the changed parts. A part in which one short value changed
 * also shows it, before and after.
 */
function ShortChanges({ changes }: { changes: PartChange[] }) {
  const isShort = (value: unknown) => value === undefined || asText(value).length <= maxShortCharacters
  return (
    <span>
      {': '}
      {changes.slice(0, maxParts).map(({ label, values: [value, ...others] }, n) => (
        <span key={n}>
          {n > 0 && ', '}
          <bdi>{bidiSafe(label)}</bdi>
          {value && others.length === 0 && isShort(value.before) && isShort(value.after) && (
            <>
              {' '}
              <ChangedValue before={value.before} after={value.after} />
            </>
          )}
        </span>
      ))}
      {changes.length > maxParts && ', …'}
    </span>
  )
}
