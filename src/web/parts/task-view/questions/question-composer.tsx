import { useId, useLayoutEffect } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { isComposing } from '../../../lib/is-composing.ts'
import { keyCap } from '../../../lib/shortcuts.ts'
import { formatDuration } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { FieldError } from '../../../ui/field-error.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import { Snippets, withSnippet } from '../../form/snippets.tsx'
import { distinctTexts, frequentTexts } from '../answering/past-texts.ts'
import answerFormStyles from '../dock/answer-form.module.css'
import answerSheetStyles from '../dock/answer-sheet.module.css'
import dockStyles from '../dock/dock.module.css'
import { notSentText } from './message-drafts.ts'
import styles from './question-composer.module.css'
import { usePastQuestions } from './use-past-questions.ts'
import type { QuestionComposerState } from './use-question-composer.ts'

export const questionTexts = {
  question: {
    label: 'What do you need to know?',
    send: 'Ask the agent',
    common: ['Where does this come from?', 'How sure are you?', 'What happens if I decline?'],
  },
  changes: {
    label: 'What should the agent change?',
    send: 'Request changes',
    common: [],
  },
}

const maxSnippets = 4

/** Where a person writes to the agent. It says before they send what will happen then. */
export function QuestionComposer({
  task,
  composer,
}: {
  task: MemberTaskRecord
  composer: QuestionComposerState
}) {
  const { kind = 'question', field } = composer
  const id = useId()
  const errorId = useId()
  const past = frequentTexts(usePastQuestions(task.type, kind), { minCount: 1 })
  const snippets = distinctTexts([...past, ...questionTexts[kind].common]).slice(0, maxSnippets)
  // Focuses the field before the next key press, which would be a shortcut otherwise.
  useLayoutEffect(() => field.current?.focus(), [field])
  return (
    <div
      className={`${answerFormStyles.answer} ${dockStyles.answer} ${answerSheetStyles.answer} ${styles.composer}`}
    >
      <div>
        <label className="lbl" htmlFor={id}>
          {questionTexts[kind].label}
        </label>
        <textarea
          ref={field}
          className="input"
          id={id}
          rows={3}
          maxLength={limits.questionText}
          value={composer.text}
          readOnly={composer.isSending}
          aria-invalid={composer.isMissing}
          aria-describedby={composer.isMissing ? errorId : undefined}
          onChange={({ target }) => composer.change(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event)) return
            event.preventDefault()
            composer.cancel()
          }}
        />
        {composer.isMissing && (
          <FieldError id={errorId}>Write a sentence for the agent, so that it knows what to do.</FieldError>
        )}
        {!composer.isSending && (
          <Snippets
            texts={snippets}
            onPick={(text) => {
              composer.change(withSnippet(composer.text, text))
              field.current?.focus()
            }}
          />
        )}
        {composer.problem && <ProblemStrip message={notSentText} problem={composer.problem} />}
      </div>
      <ul className={styles.effects}>
        <li>The task stays open and moves to “Waiting for the agent”. Everyone who may answer still can.</li>
        <li>
          The agent receives this the same way it receives answers. You see its reply in the inbox, and in the
          ways you chose in Settings, Notifications.
        </li>
        <ReturnLine task={task} />
      </ul>
    </div>
  )
}

const minuteMilliseconds = 60_000
const maxWaitMilliseconds = limits.agentReplyHours * 60 * minuteMilliseconds

/**
 * Says after how long without a reply the task returns to its place in the inbox: `agentReplyHours`, or half of the
 * time until its deadline if that is shorter.
 */
function ReturnLine({ task: { expiresAt, sent } }: { task: MemberTaskRecord }) {
  const now = useNow()
  const half = expiresAt ? (Date.parse(expiresAt) - now) / 2 : maxWaitMilliseconds
  const wait =
    half < maxWaitMilliseconds
      ? formatDuration(Math.max(half, minuteMilliseconds))
      : `${limits.agentReplyHours} hours`
  return (
    <li>
      If it doesn't reply within {wait}, the task returns to its place in the inbox.
      {sent?.onExpire &&
        ' Until it replies, nothing is sent automatically: at the deadline the task expires.'}
    </li>
  )
}

/** The button that sends the question, and the button that closes the composer and keeps the text. */
export function QuestionSubmit({ composer }: { composer: QuestionComposerState }) {
  const { kind = 'question', isSending } = composer
  return (
    <div className={styles.submit}>
      <button
        type="button"
        className="btn primary"
        aria-disabled={isSending}
        onClick={() => void composer.send()}
      >
        {questionTexts[kind].send} <KeyCap>{keyCap.submit}</KeyCap>
      </button>
      <button type="button" className="btn quiet" aria-disabled={isSending} onClick={composer.cancel}>
        Cancel <KeyCap>Esc</KeyCap>
      </button>
      <span className="text-meta text-ink-3" role="status">
        {isSending && 'Sending…'}
      </span>
    </div>
  )
}
