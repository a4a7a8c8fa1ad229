import { useState } from 'react'
import { reservedActionIds } from '../../lib/reserved-actions.ts'
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
  onAnswer: (answer: Pick<Answer, 'actionId' | 'title' | 'data'>) => void
  onClear: () => void
}

type OpenDialog = { what: 'done' | 'reject' } | { what: 'answer'; n?: number }

/** Shown while tasks are selected. Meanwhile every answer shortcut applies to all of them. */
export default function BulkBar({ taskIds, onAnswer, onClear }: Props) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const count = taskIds.length

  function openDialog(event: KeyboardEvent, what: OpenDialog) {
    event.preventDefault()
    setDialog(what)
  }

  useShortcuts({
    e: (event) => openDialog(event, { what: 'done' }),
    r: (event) => openDialog(event, { what: 'reject' }),
    '$mod+Enter': (event) => openDialog(event, { what: 'answer' }),
    '$mod+Shift+Enter': (event) => openDialog(event, { what: 'answer' }),
    ...digitShortcuts('Alt+Digit', (n, event) => openDialog(event, { what: 'answer', n })),
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
          <button type="button" className="btn small" onClick={() => setDialog({ what: 'done' })}>
            Mark done… <KeyCap>E</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setDialog({ what: 'reject' })}>
            Reject… <KeyCap>R</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setDialog({ what: 'answer' })}>
            Answer… <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </div>
      </section>
      {dialog?.what === 'done' && (
        <BulkDone
          count={count}
          onConfirm={() => onAnswer({ actionId: reservedActionIds.markDone, title: 'Mark done' })}
          onClose={close}
        />
      )}
      {dialog?.what === 'reject' && (
        <BulkReject
          count={count}
          onReject={(feedback) =>
            onAnswer({
              actionId: reservedActionIds.rejectRequest,
              title: 'Reject request',
              data: { feedback },
            })
          }
          onClose={close}
        />
      )}
      {dialog?.what === 'answer' && (
        <BulkAnswer taskIds={taskIds} initialIndex={dialog.n} onAnswer={onAnswer} onClose={close} />
      )}
    </>
  )
}
