import { X } from 'lucide-react'
import { useState } from 'react'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { plain, visible } from '../../ui/visible-text.tsx'
import { BulkAnswer } from './bulk-answer.tsx'
import { BulkDone } from './bulk-done.tsx'
import { BulkReject } from './bulk-reject.tsx'
import type { BulkOutcome, BulkRun } from './use-bulk.ts'

type Props = {
  taskIds: string[]
  run: BulkRun | undefined
  outcome: BulkOutcome | undefined
  onMarkDone: () => void
  onReject: (feedback: string) => void
  onAnswer: (title: string, actionId: string, data: Record<string, unknown> | undefined) => void
  onClear: () => void
  onDismiss: () => void
}

type Asking = 'done' | 'reject' | 'answer'

/** At the foot of the list while tasks are chosen, and until it was read what became of them. */
export default function BulkBar(props: Props) {
  const { taskIds, run, outcome, onMarkDone, onReject, onAnswer, onClear, onDismiss } = props
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  const count = taskIds.length

  useShortcuts({
    ...(count > 0 &&
      !run && {
        e: () => setAsking('done'),
        r: (event: KeyboardEvent) => {
          event.preventDefault()
          setAsking('reject')
        },
      }),
  })

  if (run) {
    return (
      <div className="bulk" role="status">
        <span>
          <bdi>{visible(run.title)}</bdi>: {run.done} of {run.total}
        </span>
        <progress max={run.total} value={run.done} aria-label={plain(run.title)} />
      </div>
    )
  }
  return (
    <>
      {outcome && (
        <div className="bulk outcome" role={outcome.failures.length > 0 ? 'alert' : 'status'}>
          <span>{visible([outcome.what, ...outcome.failures].join(' '))}</span>
          <button type="button" className="btn square" aria-label="Dismiss" onClick={onDismiss}>
            <Icon of={X} />
          </button>
        </div>
      )}
      {count > 0 && (
        <section className="bulk" aria-label="Chosen tasks">
          <span className="num" role="status">
            {count} chosen
          </span>
          <button type="button" className="btn small quiet" onClick={onClear}>
            Clear <KeyCap>Esc</KeyCap>
          </button>
          <div className="choices">
            <button type="button" className="btn small" onClick={() => setAsking('done')}>
              Mark done… <KeyCap>E</KeyCap>
            </button>
            <button type="button" className="btn small" onClick={() => setAsking('reject')}>
              Reject… <KeyCap>R</KeyCap>
            </button>
            <button type="button" className="btn small" onClick={() => setAsking('answer')}>
              Answer…
            </button>
          </div>
        </section>
      )}
      {asking === 'done' && <BulkDone count={count} onConfirm={onMarkDone} onClose={close} />}
      {asking === 'reject' && <BulkReject count={count} onReject={onReject} onClose={close} />}
      {asking === 'answer' && <BulkAnswer taskIds={taskIds} onAnswer={onAnswer} onClose={close} />}
    </>
  )
}
