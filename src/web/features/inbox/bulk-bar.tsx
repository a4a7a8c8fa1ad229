import { useState } from 'react'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { digitShortcuts } from '../../parts/task-view/digit-shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { BulkAnswer } from './bulk-answer.tsx'
import styles from './bulk-bar.module.css'
import { BulkDone } from './bulk-done.tsx'
import { BulkReject } from './bulk-reject.tsx'

type Props = {
  taskIds: string[]
  /** The open task, selected or not. */
  openId: string | undefined
  onAnswer: (answer: Pick<Answer, 'actionId' | 'title' | 'data'>) => void
  onClear: () => void
}

type OpenDialog = { kind: 'done' | 'reject' } | { kind: 'answer'; initialIndex?: number }

/** Shown while tasks are selected. Meanwhile every answer shortcut applies to all of them. */
export default function BulkBar({ taskIds, openId, onAnswer, onClear }: Props) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const count = taskIds.length

  function openDialog(event: KeyboardEvent, opened: OpenDialog) {
    event.preventDefault()
    setDialog(opened)
  }

  useShortcuts({
    e: (event) => openDialog(event, { kind: 'done' }),
    r: (event) => openDialog(event, { kind: 'reject' }),
    '$mod+Enter': (event) => openDialog(event, { kind: 'answer' }),
    '$mod+Shift+Enter': (event) => openDialog(event, { kind: 'answer' }),
    ...digitShortcuts('Alt+Digit', (initialIndex, event) =>
      openDialog(event, { kind: 'answer', initialIndex }),
    ),
  })

  return (
    <>
      <section className={styles.bulk} aria-label="Selected tasks">
        <span className="num" role="status">
          {count} selected
        </span>
        <button type="button" className="btn small quiet" onClick={onClear}>
          Clear <KeyCap>Esc</KeyCap>
        </button>
        <div className={styles.choices}>
          <button type="button" className="btn small" onClick={() => setDialog({ kind: 'done' })}>
            Mark done… <KeyCap>E</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setDialog({ kind: 'reject' })}>
            Reject… <KeyCap>R</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setDialog({ kind: 'answer' })}>
            Answer… <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </div>
      </section>
      {dialog?.kind === 'done' && (
        <BulkDone
          count={count}
          onConfirm={() =>
            onAnswer({ actionId: reservedActions.markDone.id, title: reservedActions.markDone.title })
          }
          onClose={close}
        />
      )}
      {dialog?.kind === 'reject' && (
        <BulkReject
          count={count}
          onReject={(feedback) =>
            onAnswer({
              actionId: reservedActions.rejectRequest.id,
              title: reservedActions.rejectRequest.title,
              data: { feedback },
            })
          }
          onClose={close}
        />
      )}
      {dialog?.kind === 'answer' && (
        <BulkAnswer
          taskIds={taskIds}
          openId={openId}
          initialIndex={dialog.initialIndex}
          onAnswer={onAnswer}
          onClose={close}
        />
      )}
    </>
  )
}
