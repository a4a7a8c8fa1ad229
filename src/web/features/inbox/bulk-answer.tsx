import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Action } from '../../../contract/action.ts'
import { useHere } from '../../lib/person.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { plain, visible } from '../../ui/visible-text.tsx'
import type { FormHandle } from '../form/schema-form.tsx'
import { tasks } from './count.ts'
import { failuresInWords, runEach } from './run-each.ts'
import { sharedActions, type TypedActions } from './shared-actions.ts'

const SchemaForm = lazy(() => import('../form/schema-form.tsx'))

type Props = {
  taskIds: string[]
  onAnswer: (title: string, actionId: string, data: Record<string, unknown> | undefined) => void
  onClose: () => void
}

type Found = { actions: Action[]; failures: string[] }

/** One of the senders' own actions for all: only one that every chosen task has, with the same form. */
export function BulkAnswer({ taskIds, onAnswer, onClose }: Props) {
  const { api } = useHere()
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
      setChosen(actions.length === 1 ? actions[0] : undefined)
    })
    return () => left.abort()
    // What was chosen when it was opened is answered, whatever happens to the list meanwhile.
  }, [])

  async function send() {
    if (!chosen) return
    if (!chosen.schema) {
      onClose()
      onAnswer(chosen.title, chosen.id, undefined)
      return
    }
    const checked = await form.current?.check()
    if (!checked) return
    if (checked.errors.length > 0) return form.current?.show(checked.errors)
    onClose()
    onAnswer(chosen.title, chosen.id, checked.data)
  }

  return (
    <Dialog
      title={`Answer ${tasks(taskIds.length)}`}
      about="The same answer goes to each. It is sent at once and cannot be taken back."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep them open
          </button>
          {chosen && (
            <button type="button" className="btn primary" onClick={() => void send()}>
              <span>
                <bdi>{visible(chosen.title)}</bdi>: {tasks(taskIds.length)}
              </span>
            </button>
          )}
        </>
      }
    >
      {!found ? (
        <p role="status">
          Reading what they can be answered with: {read} of {taskIds.length}
        </p>
      ) : found.failures.length > 0 ? (
        <p role="alert">{found.failures.join(' ')} Choose again.</p>
      ) : found.actions.length === 0 ? (
        <p>These tasks have no answer in common. Choose tasks of one type, or mark them done.</p>
      ) : (
        <fieldset className="bulk-actions" aria-label="Answers in common">
          {found.actions.map((action) => (
            <button
              key={action.id}
              type="button"
              className="btn"
              aria-pressed={action === chosen}
              title={plain(action.title)}
              onClick={() => setChosen(action)}
            >
              <bdi>{visible(action.title)}</bdi>
            </button>
          ))}
        </fieldset>
      )}
      {chosen?.schema && (
        <ErrorBoundary
          key={chosen.id}
          fallback={() => <p className="text-warn-ink">This form cannot be shown.</p>}
        >
          <Suspense fallback={<div className="skeleton h-8" role="status" aria-label="Loading the form" />}>
            <SchemaForm
              schema={chosen.schema}
              ui={chosen.ui}
              context={undefined}
              initial={undefined}
              isFixed={false}
              takesFocus
              onChange={() => undefined}
              onSubmit={() => void send()}
              handle={form}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </Dialog>
  )
}
