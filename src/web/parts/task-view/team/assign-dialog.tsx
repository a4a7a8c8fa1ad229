import { useId, useRef, useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { AssignTask } from '../../../../contract/note.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { fieldError } from '../../../lib/problem.ts'
import { keyCap, useShortcuts } from '../../../lib/shortcuts.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { OptionList, optionId, useHighlight } from './option-list.tsx'
import { type Colleague, matchesWords, useColleagues } from './use-colleagues.ts'
import { useTeamChange } from './use-team-change.ts'

const maxOptions = 50
const nobody = { value: '', name: 'No one', detail: 'Remove the assignment' }

/** Assigns the task to a member or a group. The arrow keys choose, Enter assigns. */
export default function AssignDialog({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const { api, me } = useWorkspace()
  const { taskId, assignedTo } = task
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { options, missingError } = useOptions(assignedTo, me.person.email, typed)
  // Before the person types, only their own name may be highlighted, so that Enter does not assign
  // the task to anyone else by accident.
  const highlight = useHighlight(options, typed, typed.trim() !== '' || options[0]?.value === me.person.email)
  const form = useRef<HTMLFormElement>(null)
  const [inputId, listId, noteId, errorId, formId] = [useId(), useId(), useId(), useId(), useId()]
  const { problem, isPending, run } = useTeamChange(task, send, onClose)
  const error = fieldError(problem, 'to') ?? (isMissing && !highlight.option ? missingError : undefined)

  function send(input: AssignTask) {
    return api.assignTask(taskId, input)
  }

  function assign(option: Colleague | undefined) {
    setMissing(option === undefined)
    if (!option) return
    const text = note.trim()
    run({ to: option.value || null, ...(text && { note: text }) })
  }

  useShortcuts({ '$mod+Enter': () => assign(highlight.option) }, form)

  return (
    <Dialog
      title="Assign task"
      description="The assignment says whose turn it is. Everyone who may answer still can."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="btn primary" aria-disabled={isPending}>
            {highlight.option?.value === '' ? (
              'Remove assignment'
            ) : (
              <>
                Assign to <bdi>{highlight.option ? bidiSafe(highlight.option.name) : '…'}</bdi>
              </>
            )}{' '}
            <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className="stack wide-gap"
        onSubmit={(event) => {
          event.preventDefault()
          assign(highlight.option)
        }}
      >
        <FormProblem message="The assignment wasn't changed." problem={problem} fields={['to']} />
        <div>
          <label className="lbl" htmlFor={inputId}>
            Assign to
          </label>
          <input
            className="input"
            id={inputId}
            role="combobox"
            aria-expanded={options.length > 0}
            aria-controls={options.length > 0 ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={highlight.option && optionId(listId, highlight.index)}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : errorId}
            autoComplete="off"
            spellCheck={false}
            placeholder="Name, email address or group"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => void highlight.move(event)}
          />
          {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
          {options.length > 0 && (
            <OptionList
              id={listId}
              label="Members and groups"
              options={options}
              index={highlight.index}
              onPick={highlight.moveTo}
            />
          )}
        </div>
        <div>
          <label className="lbl" htmlFor={noteId}>
            Note <span className="text-ink-3">(optional, only members see it)</span>
          </label>
          <textarea
            className="input"
            id={noteId}
            rows={2}
            maxLength={limits.noteText}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      </form>
    </Dialog>
  )
}

/**
 * The options that match what was typed, without the current assignee: the person themselves first,
 * "No one" last. `missingError` is shown if no option is chosen.
 */
function useOptions(assignedTo: string | undefined, myEmail: string, typed: string) {
  const { colleagues, isPending, isFailed } = useColleagues()
  const isMe = ({ value }: Colleague) => value === myEmail
  const isOffered = (option: Colleague) => option.value !== (assignedTo ?? '') && matchesWords(option, typed)
  const sorted = [
    ...colleagues.filter(isMe).map((option) => ({ ...option, name: `${option.name} (you)` })),
    ...colleagues.filter((option) => !isMe(option)),
  ]
  const offered = sorted.filter(isOffered).slice(0, maxOptions)
  const options = colleagues.length > 0 && isOffered(nobody) ? [...offered, nobody] : offered
  return { options, missingError: describeMissing() }

  function describeMissing(): string {
    if (options.length > 0) return 'Choose a member or a group.'
    const assignee = colleagues.find(({ value }) => value === assignedTo)
    if (assignee && matchesWords(assignee, typed))
      return `The task is already assigned to ${isMe(assignee) ? 'you' : escapeBidi(assignee.name)}.`
    if (isFailed) return "The members and groups couldn't be loaded."
    return isPending ? 'The members and groups are still loading.' : 'No member or group matches.'
  }
}
