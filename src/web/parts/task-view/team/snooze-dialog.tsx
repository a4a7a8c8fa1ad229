import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import { asProblem, fieldError } from '../../../lib/problem.ts'
import { keyCap, useShortcuts } from '../../../lib/shortcuts.ts'
import { listSnoozeTimes, toLocalField } from '../../../lib/snooze-times.ts'
import { formatTime, formatWhen } from '../../../lib/time.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { taskQuery } from '../task-query.ts'
import styles from './snooze-dialog.module.css'

/** Stands for the time that the person enters, beside the labels of the offered times. */
const customTime = 'custom'

type Props = { task: TaskRecord; onSnoozed: (until: string) => void; onClose: () => void }

/** Hides the task from the person's own inbox until a time. The arrow keys choose, Enter snoozes. */
export default function SnoozeDialog({ task, onSnoozed, onClose }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { taskId } = task
  const [now] = useState(Date.now)
  const times = listSnoozeTimes(now)
  const [chosen, setChosen] = useState(times[0]!.label)
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [formId, name, fieldId, errorId] = [useId(), useId(), useId(), useId()]
  const until = times.find(({ label }) => label === chosen)?.until ?? parseField(typed)
  // Not state: a second press may come before the first one is rendered.
  const isBusy = useRef(false)
  const change = useMutation({
    mutationFn: (time: string) => api.snoozeTask(taskId, { until: time }),
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
      onSnoozed(saved.until)
    },
    onSettled: () => {
      isBusy.current = false
    },
  })
  const problem = change.error && asProblem(change.error)
  const error = fieldError(problem, 'until') ?? (isMissing ? 'Choose a date and time.' : undefined)

  function choose(label: string) {
    setChosen(label)
    // The error was about the previous choice.
    setMissing(false)
    if (!isBusy.current) change.reset()
  }

  function snooze() {
    setMissing(until === undefined)
    if (until === undefined || isBusy.current) return
    isBusy.current = true
    // Passed here, `onClose` is not called after this dialog was closed, when another dialog may be
    // open.
    change.mutate(until, { onSuccess: onClose })
  }

  useShortcuts({ '$mod+Enter': snooze }, form)

  return (
    <Dialog
      title="Snooze task"
      description="The task disappears only from your own inbox. It returns earlier if anything but a claim happens to it."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="btn primary" aria-disabled={change.isPending}>
            Snooze <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          snooze()
        }}
      >
        <FormProblem message="The task wasn't snoozed." problem={problem} fields={['until']} />
        <fieldset className={styles.times}>
          <legend className="sr-only">Snooze until</legend>
          {[...times, { label: customTime, until: undefined }].map((time) => (
            <label key={time.label} className={styles.time}>
              <input
                type="radio"
                name={name}
                checked={chosen === time.label}
                onChange={() => choose(time.label)}
              />
              <span>{time.label === customTime ? 'Date and time' : time.label}</span>
              {time.until && <time dateTime={time.until}>{formatTime(time.until, now)}</time>}
            </label>
          ))}
        </fieldset>
        <label className="sr-only" htmlFor={fieldId}>
          Date and time
        </label>
        <input
          className={`input ${styles.field}`}
          id={fieldId}
          type="datetime-local"
          min={toLocalField(now)}
          value={typed}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          onChange={({ target }) => {
            setTyped(target.value)
            choose(customTime)
          }}
        />
        {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
        <Hint task={task} until={until} now={now} />
      </form>
    </Dialog>
  )
}

type HintProps = { task: TaskRecord; until: string | undefined; now: number }

/** Says if the time to answer by, or the deadline, comes before the chosen time. */
function Hint({ task: { answerBy, expiresAt }, until, now }: HintProps) {
  const isBefore = (at: string | undefined) =>
    at !== undefined && until !== undefined && Date.parse(at) > now && Date.parse(at) < Date.parse(until)
  return (
    <p className={styles.hint} role="status">
      {isBefore(answerBy) && `It returns ${formatWhen(answerBy!, now)}, when it should be answered. `}
      {isBefore(expiresAt) && `Its deadline is before the chosen time: ${formatTime(expiresAt!, now)}.`}
    </p>
  )
}

function parseField(value: string): string | undefined {
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
