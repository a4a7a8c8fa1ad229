import { useId, useRef, useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { AddNote } from '../../../../contract/note.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { isComposing } from '../../../lib/is-composing.ts'
import { fieldError } from '../../../lib/problem.ts'
import { keyCap, useShortcuts } from '../../../lib/shortcuts.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { useMessageDraft } from '../questions/message-drafts.ts'
import styles from './notes.module.css'
import { OptionList, optionId, useHighlight } from './option-list.tsx'
import { type Colleague, matchesWords, useColleagues } from './use-colleagues.ts'
import { useTeamChange } from './use-team-change.ts'

const maxSuggestions = 5

/** A note for colleagues. Typing @ and a part of a name suggests whom to mention. */
export default function NoteDialog({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const { api } = useWorkspace()
  const { taskId } = task
  const field = useRef<HTMLTextAreaElement>(null)
  const { text, latest, change } = useMessageDraft('colleagues', taskId)
  const [caret, setCaret] = useState(text.length)
  const [isMissing, setMissing] = useState(false)
  const [isListClosed, setListClosed] = useState(false)
  const [id, listId, errorId] = [useId(), useId(), useId()]
  const { problem, isPending, run } = useTeamChange(task, save, onClose)
  const error = fieldError(problem, 'text') ?? (isMissing ? 'Write something first.' : undefined)

  async function save(input: AddNote) {
    await api.addNote(taskId, input)
    if (latest().text.trim() === input.text) change({ text: '' })
  }

  const typed = /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, caret))?.[1]
  const suggestions = useSuggestions(isListClosed ? undefined : typed)
  const highlight = useHighlight(suggestions, typed)

  function write(next: string) {
    change({ text: next })
    setMissing(false)
    setListClosed(false)
  }

  function mention({ value }: Colleague) {
    const start = caret - (typed?.length ?? 0)
    const next = `${text.slice(0, start)}${value} `
    write(next + text.slice(caret))
    setCaret(next.length)
    // The cursor can be set only once the new text is in the field.
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length))
    field.current?.focus()
  }

  function send() {
    const note = text.trim()
    if (note === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    run({ text: note })
  }

  /** Escape closes the list of suggestions first, then the dialog. */
  function closeList(): boolean {
    if (suggestions.length === 0) return false
    setListClosed(true)
    return true
  }

  useShortcuts({ '$mod+Enter': send }, field)

  return (
    <Dialog
      title="Add note"
      description="Only members of this workspace see this. The agent never does."
      onClose={onClose}
      onEscape={closeList}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className={`btn ${styles.send}`} aria-disabled={isPending} onClick={send}>
            Add note <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      <FormProblem message="The note wasn't added." problem={problem} fields={['text']} />
      <label className="lbl" htmlFor={id}>
        For your colleagues
      </label>
      <textarea
        ref={field}
        className={`input ${styles.field}`}
        id={id}
        rows={4}
        maxLength={limits.noteText}
        placeholder="Type @ to mention someone."
        value={text}
        readOnly={isPending}
        aria-controls={suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={highlight.option && optionId(listId, highlight.index)}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        onChange={({ target }) => {
          write(target.value)
          setCaret(target.selectionStart)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={(event) => {
          if (isComposing(event) || !highlight.option || highlight.move(event)) return
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          mention(highlight.option)
        }}
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      {suggestions.length > 0 && (
        <OptionList
          id={listId}
          label="Members and groups"
          options={suggestions}
          index={highlight.index}
          onPick={mention}
        />
      )}
    </Dialog>
  )
}

/** `typed`: what follows the @. Undefined while nobody is being mentioned. */
function useSuggestions(typed: string | undefined): Colleague[] {
  const { colleagues } = useColleagues()
  if (typed === undefined) return []
  return colleagues.filter((option) => matchesWords(option, typed)).slice(0, maxSuggestions)
}
