import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { Action } from '../../../contract/action.ts'
import { tasks } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/person.ts'
import { plain } from '../../lib/plain-text.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import type { FormHandle } from '../../parts/form/schema-form.tsx'
import { eachDigit } from '../../parts/task-view/each-digit.ts'
import { pickOption } from '../../parts/task-view/pick-option.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { failuresInWords, runEach } from './run-each.ts'
import { sharedActions, type TypedActions } from './shared-actions.ts'

const SchemaForm = lazy(() => import('../../parts/form/schema-form.tsx'))

type Props = {
  taskIds: string[]
  /** The action that was asked for by its key. */
  first: number | undefined
  onAnswer: (answer: Pick<Answer, 'actionId' | 'title' | 'data'>) => void
  onClose: () => void
}

type Found = { actions: Action[]; failures: string[] }

/** One of the senders' own actions for all: only one that every chosen task has, with the same form. */
export function BulkAnswer({ taskIds, first, onAnswer, onClose }: Props) {
  const { api } = useWorkspace()
  const [read, setRead] = useState(0)
  const [found, setFound] = useState<Found>()
  const [chosen, setChosen] = useState<Action>()
  const form = useRef<FormHandle | null>(null)

  useEffect(() => {
    const left = new AbortController()
    const all: TypedActions[] = []
    const readOne = async (taskId: string) => {
      const { type, actions = [] } = await api.getTask(taskId, { include: ['actions'] }, left.signal)
      all.push({ type, actions })
    }
    void runEach(taskIds, readOne, setRead).then((failed) => {
      if (left.signal.aborted) return
      const actions = failed.size > 0 ? [] : sharedActions(all)
      setFound({ actions, failures: failuresInWords(failed.values()) })
      setChosen(actions[actions.length === 1 ? 0 : (first ?? -1)])
    })
    isClosed.current = false
    return () => {
      isClosed.current = true
      left.abort()
    }
    // What was chosen when it was opened is answered, whatever happens to the list meanwhile.
  }, [])

  const isClosed = useRef(false)

  async function send() {
    if (!chosen) return
    const { id: actionId, title } = chosen
    if (!chosen.schema) {
      onClose()
      onAnswer({ actionId, title })
      return
    }
    const checked = await form.current?.check()
    // Closed meanwhile: nothing may be sent any more.
    if (!checked || isClosed.current) return
    if (checked.errors.length > 0) return form.current?.show(checked.errors)
    onClose()
    onAnswer({ actionId, title, data: checked.data })
  }

  return (
    <BulkDialog
      title={`Answer ${tasks(taskIds.length)}`}
      about="The same answer goes to each."
      confirm={
        chosen && (
          <span>
            <bdi>{visible(chosen.title)}</bdi>: {tasks(taskIds.length)}
          </span>
        )
      }
      isShown={found !== undefined}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {(inside, confirm) => (
        <>
          {!found ? (
            <p role="status">
              Loading the available actions: {read} of {taskIds.length}
            </p>
          ) : found.failures.length > 0 ? (
            <p role="alert">{found.failures.join(' ')} Choose again.</p>
          ) : found.actions.length === 0 ? (
            <p>These tasks have no action in common. Select tasks of one type, or mark them done.</p>
          ) : (
            <SharedActions actions={found.actions} chosen={chosen} inside={inside} onChoose={setChosen} />
          )}
          {chosen?.schema && (
            <ErrorBoundary
              key={chosen.id}
              fallback={() => <p className="text-warn-ink">This form cannot be shown.</p>}
            >
              <Suspense
                fallback={<div className="skeleton h-8" role="status" aria-label="Loading the form" />}
              >
                <SchemaForm
                  schema={chosen.schema}
                  ui={chosen.ui}
                  context={undefined}
                  initial={undefined}
                  isFixed={false}
                  takesFocus
                  onChange={() => undefined}
                  onSubmit={confirm}
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

/** Alt and a digit choose one, as for a single task. A digit alone picks in the form, or, where that has no choice, here. */
function SharedActions({ actions, chosen, inside, onChoose }: ActionsProps) {
  const choose = (n: number) => actions[n] && onChoose(actions[n])
  useShortcuts(
    {
      ...eachDigit('Alt+Digit', (n, event) => {
        event.preventDefault()
        choose(n)
      }),
      ...eachDigit('', (n) => pickOption(n, '[role=dialog]') || choose(n)),
    },
    inside,
  )
  return (
    <fieldset className="bulk-actions" aria-label="Actions in common">
      {actions.map((action, n) => (
        <button
          key={action.id}
          type="button"
          className="btn"
          aria-pressed={action === chosen}
          title={plain(action.title)}
          onClick={() => onChoose(action)}
        >
          <bdi>{visible(action.title)}</bdi>
          {n < 9 && <KeyCap>{keyCap.action(n + 1)}</KeyCap>}
        </button>
      ))}
    </fieldset>
  )
}
