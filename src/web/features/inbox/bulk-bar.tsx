import { useState } from 'react'
import { reservedActionIds } from '../../lib/reserved-actions.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { eachDigit } from '../../parts/task-view/each-digit.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { BulkAnswer } from './bulk-answer.tsx'
import { BulkDone } from './bulk-done.tsx'
import { BulkReject } from './bulk-reject.tsx'

type Props = {
  taskIds: string[]
  onAnswer: (answer: Pick<Answer, 'actionId' | 'title' | 'data'>) => void
  onClear: () => void
}

type Asking = { what: 'done' | 'reject' } | { what: 'answer'; n?: number }

/** At the foot of the list while tasks are chosen. As long as they are, every key that answers means all of them. */
export default function BulkBar({ taskIds, onAnswer, onClear }: Props) {
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  const count = taskIds.length

  function ask(event: KeyboardEvent, what: Asking) {
    event.preventDefault()
    setAsking(what)
  }

  useShortcuts({
    e: (event) => ask(event, { what: 'done' }),
    r: (event) => ask(event, { what: 'reject' }),
    '$mod+Enter': (event) => ask(event, { what: 'answer' }),
    '$mod+Shift+Enter': (event) => ask(event, { what: 'answer' }),
    ...eachDigit('Alt+Digit', (n, event) => ask(event, { what: 'answer', n })),
  })

  return (
    <>
      <section className="bulk" aria-label="Chosen tasks">
        <span className="num" role="status">
          {count} chosen
        </span>
        <button type="button" className="btn small quiet" onClick={onClear}>
          Clear <KeyCap>Esc</KeyCap>
        </button>
        <div className="choices">
          <button type="button" className="btn small" onClick={() => setAsking({ what: 'done' })}>
            Mark done… <KeyCap>E</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setAsking({ what: 'reject' })}>
            Reject… <KeyCap>R</KeyCap>
          </button>
          <button type="button" className="btn small" onClick={() => setAsking({ what: 'answer' })}>
            Answer… <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </div>
      </section>
      {asking?.what === 'done' && (
        <BulkDone
          count={count}
          onConfirm={() => onAnswer({ actionId: reservedActionIds.markDone, title: 'Mark done' })}
          onClose={close}
        />
      )}
      {asking?.what === 'reject' && (
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
      {asking?.what === 'answer' && (
        <BulkAnswer taskIds={taskIds} first={asking.n} onAnswer={onAnswer} onClose={close} />
      )}
    </>
  )
}
