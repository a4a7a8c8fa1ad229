import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { Action } from '../../../contract/action.ts'
import { pluralize } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { pickOption } from '../../parts/form/option-digits.ts'
import type { FormHandle } from '../../parts/form/schema-form.tsx'
import { digitShortcuts } from '../../parts/task-view/digit-shortcuts.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './bulk-answer.module.css'
import { BulkDialog, type BulkDialogCounts } from './bulk-dialog.tsx'
import { describeLoadFailures, runEach } from './run-each.ts'
import { sharedActions, type TypedActions } from './shared-actions.ts'

const SchemaForm = onDemandPart(() => import('../../parts/form/schema-form.tsx'))

type Props = BulkDialogCounts & {
  taskIds: string[]
  displayedId: string | undefined
  /** The index, in the actions of the displayed task, of the action whose shortcut opened the dialog. */
  initialIndex: number | undefined
  onAnswer: (answer: Pick<Answer, 'actionId' | 'title' | 'data'>) => void
  onClose: () => void
}

type LoadedActions = { actions: Action[]; failures: string[] }

/** Answers all selected tasks with an action that has the same id, title and form in each of them. */
export function BulkAnswer({ taskIds, displayedId, initialIndex, onAnswer, onClose, ...counts }: Props) {
  const { api } = useWorkspace()
  const [loadedCount, setLoadedCount] = useState(0)
  const [loaded, setLoaded] = useState<LoadedActions>()
  const [chosen, setChosen] = useState<Action>()
  const form = useRef<FormHandle | null>(null)
  /** Aborted when the dialog closes. */
  const closed = useRef<AbortSignal>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    closed.current = signal
    // In the order of the selection, not of the responses.
    const all: TypedActions[] = []
    const loadActions = async (taskId: string) => {
      const { type, actions = [] } = await api.getTask(taskId, { include: ['actions'] }, signal)
      all[taskIds.indexOf(taskId)] = { type, actions }
    }
    void runEach(taskIds, loadActions, setLoadedCount).then((failed) => {
      if (signal.aborted) return
      const actions = failed.size > 0 ? [] : sharedActions(all)
      setLoaded({ actions, failures: describeLoadFailures(failed.values()) })
      const wantedId = all[taskIds.indexOf(displayedId ?? '')]?.actions[initialIndex ?? -1]?.id
      const onlyAction = actions.length === 1 ? actions[0] : undefined
      setChosen(initialIndex === undefined ? onlyAction : actions.find(({ id }) => id === wantedId))
    })
    return () => controller.abort()
    // Loaded once, when the dialog opens.
  }, [])

  async function send() {
    if (!chosen) return
    const { id: actionId, title } = chosen
    if (!chosen.schema) {
      onClose()
      onAnswer({ actionId, title })
      return
    }
    const checked = await form.current?.check()
    // The dialog may have been closed during the check.
    if (!checked || closed.current?.aborted) return
    if (checked.errors.length > 0) return form.current?.showErrors(checked.errors)
    onClose()
    onAnswer({ actionId, title, data: checked.data })
  }

  return (
    <BulkDialog
      {...counts}
      title={`Answer ${pluralize(taskIds.length, 'task')}`}
      description="Each task gets the same answer."
      confirmLabel={
        chosen && (
          <span>
            <bdi>{bidiSafe(chosen.title)}</bdi>: {pluralize(counts.stillOpenCount, 'task')}
          </span>
        )
      }
      isShown={loaded !== undefined}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {(inside) => (
        <>
          {!loaded ? (
            <p role="status">
              {/* The count is hidden from screen readers, which would announce it for each task. */}
              Loading actions
              <span aria-hidden="true">
                : {loadedCount} of {taskIds.length}
              </span>
            </p>
          ) : loaded.failures.length > 0 ? (
            <p role="alert">
              {loaded.failures.join(' ')} Close this dialog and try again. If it fails again, answer the tasks
              one at a time.
            </p>
          ) : loaded.actions.length === 0 ? (
            <p>
              The selected tasks have no action in common: they differ in type, or in the title or form of
              their actions. Answer them one at a time, or mark them done or reject them together.
            </p>
          ) : (
            <SharedActions actions={loaded.actions} chosen={chosen} inside={inside} onChoose={setChosen} />
          )}
          {chosen?.schema && (
            <ErrorBoundary
              key={chosen.id}
              fallback={() => (
                <p className="text-warn-ink">This form can't be shown. Answer the tasks one at a time.</p>
              )}
            >
              <Suspense fallback={<Skeleton height="2rem" role="status" aria-label="Loading form" />}>
                <SchemaForm
                  schema={chosen.schema}
                  ui={chosen.ui}
                  context={undefined}
                  autoFocus
                  handle={form}
                />
              </Suspense>
            </ErrorBoundary>
          )}
        </>
      )}
    </BulkDialog>
  )
}

type ActionsProps = {
  actions: Action[]
  chosen: Action | undefined
  inside: RefObject<HTMLElement | null>
  onChoose: (action: Action) => void
}

/** Alt+digit chooses an action. A digit alone picks an option of the form, or else an action. */
function SharedActions({ actions, chosen, inside, onChoose }: ActionsProps) {
  const choose = (n: number) => actions[n] && onChoose(actions[n])
  useShortcuts(
    {
      ...digitShortcuts('Alt+Digit', (n, event) => {
        event.preventDefault()
        choose(n)
      }),
      ...digitShortcuts('', (n) => pickOption(n + 1, '[role=dialog]') || choose(n)),
    },
    inside,
  )
  return (
    <fieldset className={styles.bulkActions} aria-label="Shared actions">
      {actions.map((action, n) => (
        <button
          key={action.id}
          type="button"
          className="btn"
          aria-pressed={action === chosen}
          title={escapeBidi(action.title)}
          onClick={() => onChoose(action)}
        >
          <bdi>{bidiSafe(action.title)}</bdi>
          {n < 9 && <KeyCap>{keyCap.action(n + 1)}</KeyCap>}
        </button>
      ))}
    </fieldset>
  )
}
