import { useState } from 'react'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { randomId } from '../../lib/random-id.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keyCap, type Shortcuts, useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { digitShortcuts } from '../../parts/task-view/digit-shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { BulkAnswer } from './bulk-answer.tsx'
import styles from './bulk-bar.module.css'
import { BulkDone } from './bulk-done.tsx'
import { BulkReject } from './bulk-reject.tsx'
import type { InboxState } from './inbox-state.ts'
import { isUnloaded } from './listed-rows.ts'
import type { SelectedRevisions } from './use-selection.ts'

type Props = {
  state: Pick<InboxState, 'rows' | 'endedIds'>
  selected: SelectedRevisions
  /** The task shown beside the list, selected or not. */
  displayedId: string | undefined
  onAnswer: (answers: Answer[]) => void
  onClear: () => void
}

type DialogKind = { kind: 'done' | 'reject' } | { kind: 'answer'; initialIndex?: number }
type SelectedTask = Pick<Answer, 'taskId' | 'taskName' | 'revision'>

/**
 * The bar that is shown while tasks are selected, and its dialogs. While the bar is shown, the
 * shortcuts for answers apply to all selected tasks.
 */
export default function BulkBar({ state, selected, displayedId, onAnswer, onClear }: Props) {
  const { workspaceId } = useWorkspace()
  // The open dialog, with the tasks that were selected when it was opened: later changes of the
  // selection do not affect it.
  const [dialog, setDialog] = useState<DialogKind & { tasks: SelectedTask[] }>()
  const tasks = dialog?.tasks ?? []
  const stillOpen = tasks.filter(({ taskId }) => !state.endedIds.has(taskId))
  const common = {
    count: tasks.length,
    stillOpenCount: stillOpen.length,
    onClose: () => setDialog(undefined),
  }

  function openDialog(opened: DialogKind) {
    setDialog({ ...opened, tasks: selectedTasks(state.rows, selected) })
  }

  /** Gives the same answer to each task that is still open. Two or more answers share a bulk id. */
  function answer(shared: Pick<Answer, 'actionId' | 'title' | 'data'>) {
    const bulk = stillOpen.length < 2 ? {} : { bulkId: randomId() }
    onAnswer(stillOpen.map((task) => ({ ...shared, ...task, ...bulk, workspaceId })))
  }

  const openByKey = (opened: DialogKind) => (event: KeyboardEvent) => {
    event.preventDefault()
    openDialog(opened)
  }
  const shortcuts: Shortcuts = {
    e: openByKey({ kind: 'done' }),
    r: openByKey({ kind: 'reject' }),
    '$mod+Enter': openByKey({ kind: 'answer' }),
    '$mod+Shift+Enter': openByKey({ kind: 'answer' }),
    ...digitShortcuts('Alt+Digit', (initialIndex, event) =>
      openByKey({ kind: 'answer', initialIndex })(event),
    ),
  }
  useShortcuts(selected.size > 0 ? shortcuts : {})

  return (
    <>
      {selected.size > 0 && (
        <section className={styles.bulk} aria-label="Selected tasks">
          <span className="num" role="status">
            {selected.size} selected
          </span>
          <button type="button" className="btn small quiet" onClick={onClear}>
            Clear <KeyCap>Esc</KeyCap>
          </button>
          <div className={styles.choices}>
            <button type="button" className="btn small" onClick={() => openDialog({ kind: 'done' })}>
              Mark done… <KeyCap>E</KeyCap>
            </button>
            <button type="button" className="btn small" onClick={() => openDialog({ kind: 'reject' })}>
              Reject… <KeyCap>R</KeyCap>
            </button>
            <button type="button" className="btn small" onClick={() => openDialog({ kind: 'answer' })}>
              Answer… <KeyCap>{keyCap.submit}</KeyCap>
            </button>
          </div>
        </section>
      )}
      {dialog?.kind === 'done' && (
        <BulkDone
          {...common}
          onConfirm={() =>
            answer({ actionId: reservedActions.markDone.id, title: reservedActions.markDone.title })
          }
        />
      )}
      {dialog?.kind === 'reject' && (
        <BulkReject
          {...common}
          onReject={(feedback) =>
            answer({
              actionId: reservedActions.rejectRequest.id,
              title: reservedActions.rejectRequest.title,
              data: { feedback },
            })
          }
        />
      )}
      {dialog?.kind === 'answer' && (
        <BulkAnswer
          {...common}
          taskIds={tasks.map(({ taskId }) => taskId)}
          displayedId={displayedId}
          initialIndex={dialog.initialIndex}
          onAnswer={answer}
        />
      )}
    </>
  )
}

function selectedTasks(rows: InboxState['rows'], selected: SelectedRevisions): SelectedTask[] {
  return rows.flatMap((row) => {
    const { taskId } = row
    const revision = selected.get(taskId)
    return revision === undefined ? [] : [{ taskId, taskName: isUnloaded(row) ? '' : row.name, revision }]
  })
}
