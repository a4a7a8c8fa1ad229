import { type FocusEvent, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import type { Action } from '../../../../contract/action.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import type { QuestionKind } from '../../../../contract/question.ts'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { classes } from '../../../lib/classes.ts'
import type { Answer } from '../../../lib/send-answer.ts'
import { useIsPhone } from '../../../lib/use-is-phone.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { lazyPart, onDemandPart } from '../../../ui/lazy-part.tsx'
import { LoadingDialog } from '../../../ui/loading-dialog.tsx'
import panesStyles from '../../../ui/panes.module.css'
import { ProblemStrip } from '../../../ui/strip.tsx'
import type { SendOptions } from '../../answers/use-send-answers.ts'
import { MarkDoneDialog } from '../answering/mark-done-dialog.tsx'
import { useAnswerKeys } from '../answering/use-answer-keys.ts'
import { noQuestionsText, useDockAnswer } from '../answering/use-dock-answer.ts'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import type { TaskDrafts } from '../drafts/use-drafts.ts'
import { notSentText } from '../questions/message-drafts.ts'
import { QuestionButtons } from '../questions/question-buttons.tsx'
import { QuestionComposer, QuestionSubmit } from '../questions/question-composer.tsx'
import { type OnAsked, type Question, useQuestion } from '../questions/use-question.ts'
import styles from './action-dock.module.css'
import { ActionPicker } from './action-picker.tsx'
import { AnswerForm } from './answer-form.tsx'
import { BuiltInActions } from './built-in-actions.tsx'
import dockStyles from './dock.module.css'
import { DockGrip } from './dock-grip.tsx'
import { DockTools } from './dock-tools.tsx'
import { SubmitRow } from './submit-row.tsx'
import { useDockFold } from './use-dock-fold.ts'
import { useDockPlace } from './use-dock-place.ts'

const RejectDialog = lazyPart(() => import('../answering/reject-dialog.tsx'))
// Only needed on phones.
const PhoneDock = onDemandPart(() => import('./phone-dock.tsx'))
// Only needed once the dock is folded.
const DraftSummary = onDemandPart(() => import('./draft-summary.tsx'))

type Props = {
  task: MemberTaskRecord
  gate: AnswerGate
  /** The task ended while it was shown: drafts stay visible, but nothing can be sent. */
  isEnded: boolean
  drafts: TaskDrafts
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
  onAsked: OnAsked
  isSelecting: boolean
}

/** The answer area: below the task or beside it. On a phone, buttons and a sheet. */
export function ActionDock({ task, gate, isEnded, drafts, onSend, onAsked, isSelecting }: Props) {
  const isPhone = useIsPhone()
  const isNarrow = useMedia('(max-width: 79.99rem)')
  const display = useTaskDisplay()
  const answer = useDockAnswer({ task, gate, isEnded, drafts, onSend })
  const { actions } = answer
  const { question, ask, chooseAction } = useAsking({ task, gate, answer, isEnded, onAsked })
  const isAsking = question.kind !== undefined
  const chosen = isAsking ? undefined : answer.chosen

  const dock = useRef<HTMLElement>(null)
  const place = useDockPlace(dock, task.actions)
  const fold = useDockFold(answer, !isPhone && !place.isBeside && !isAsking)
  // Not React state: rerendering a long form would cause a noticeable delay while typing.
  useEffect(
    () => gate.subscribe((isOpen) => dock.current?.toggleAttribute('data-answerable', isOpen)),
    [gate],
  )

  const markDone = () => void answer.markDone.start()
  const openReject = () => !isEnded && !answer.isSending && answer.rejection.open()
  useAnswerKeys({
    answer,
    question,
    onAsk: ask,
    isEnded,
    isSelecting,
    onUnfold: fold.unfold,
    onMarkDone: markDone,
    onReject: openReject,
  })

  const version = (chosen && display?.formVersion(chosen.id)) ?? 0
  const focus = useKeptFocus(`${chosen?.id} ${version}`)
  const { dialogs, ...parts } = dockParts({
    task,
    answer,
    question,
    chosen,
    isEnded,
    drafts,
    version,
    onAsk: ask,
  })
  const noQuestions = !task.acceptsQuestions && !isEnded && !answer.note && !fold.isFolded && (
    <span className={styles.noQuestions}>{noQuestionsText}</span>
  )

  return (
    <aside
      ref={dock}
      className={classes(
        dockStyles.dock,
        panesStyles.dock,
        place.isBeside && dockStyles.column,
        fold.isFolded && dockStyles.folded,
        !parts.body && dockStyles.idle,
        isSelecting && dockStyles.noKeys,
      )}
      aria-label="Your answer"
      onFocus={focus}
    >
      {isPhone ? (
        <Suspense>
          <PhoneDock
            answer={answer}
            question={question}
            drafts={drafts.list}
            isEnded={isEnded}
            {...parts}
            hint={noQuestions}
            onMarkDone={markDone}
            onReject={openReject}
          />
        </Suspense>
      ) : (
        <>
          {fold.canFold && !fold.isFolded && <DockGrip onFold={fold.toggle} />}
          <header>
            <h2>Your answer</h2>
            {isSelecting && (
              <span className={styles.keysElsewhere}>Keyboard shortcuts apply to the selected tasks.</span>
            )}
            <ActionPicker actions={actions} chosenId={chosen?.id} isEnded={isEnded} onChoose={chooseAction} />
            {parts.questionButtons}
            {fold.isFolded && chosen && (
              <Suspense>
                <DraftSummary action={chosen} data={draftDataOf(drafts.list, chosen.id)} />
              </Suspense>
            )}
          </header>
          {!fold.isFolded && parts.questionProblem}
          {parts.body ?? parts.answerProblem}
          <footer>
            {parts.submit}
            {parts.note}
            {!isNarrow && noQuestions}
            <BuiltInActions
              isDisabled={isEnded || answer.isSending}
              onMarkDone={markDone}
              onReject={openReject}
            />
          </footer>
          <DockTools place={place} fold={fold} />
          {isNarrow && noQuestions}
        </>
      )}
      {dialogs}
    </aside>
  )
}

type AskingInputs = Pick<Props, 'task' | 'gate' | 'isEnded' | 'onAsked'> & {
  answer: ReturnType<typeof useDockAnswer>
}

/**
 * The question to the agent, whose composer covers the form of the chosen action. `ask` opens the
 * composer, or says why there is none. `chooseAction` closes it first.
 */
function useAsking({ task, gate, answer, isEnded, onAsked }: AskingInputs) {
  const question = useQuestion({
    task,
    gate,
    isDisabled: isEnded || answer.isSending,
    onAsked(taskId, asked, isShown) {
      if (isShown) {
        // If the task stays on screen, another Ctrl+Enter must not send the form that the question
        // covered.
        answer.choose(undefined)
        document.getElementById('task-content')?.focus({ preventScroll: true })
      }
      onAsked(taskId, asked, isShown)
    },
  })
  function ask(kind: QuestionKind) {
    if (task.acceptsQuestions) return question.open(kind)
    // Nothing opens, so what is typed next must not answer the task.
    gate.refuse()
    if (!isEnded) answer.setNote(noQuestionsText)
  }
  function chooseAction(actionId: string | undefined) {
    question.close()
    // Its form was only covered by the question.
    if (question.kind !== undefined && actionId === answer.chosen?.id) return
    answer.choose(actionId)
  }
  return { question, ask, chooseAction }
}

type PartsInputs = Pick<Props, 'task' | 'isEnded' | 'drafts'> & {
  answer: ReturnType<typeof useDockAnswer>
  question: Question
  chosen: Action | undefined
  /** Rises when a revision changes the form of the action, which is then mounted anew. */
  version: number
  onAsk: (kind: QuestionKind) => void
}

/**
 * The form of the chosen action, or the question to the agent, with the button that sends it, and
 * messages.
 */
function dockParts({ task, answer, question, chosen, isEnded, drafts, version, onAsk }: PartsInputs) {
  const questionButtons = task.acceptsQuestions && (
    <QuestionButtons
      openKind={question.kind}
      isDisabled={isEnded || answer.isSending}
      onOpen={onAsk}
      onClose={question.cancel}
    />
  )
  const answerProblem = answer.problem && !answer.rejection.dialog && (
    <ProblemStrip message="Your answer wasn't sent." problem={answer.problem} />
  )
  // The person left the task while the question was sent. While the composer is open, it shows the
  // problem itself.
  const questionProblem = question.problem && !question.kind && (
    <ProblemStrip message={notSentText} problem={question.problem} />
  )
  const note = (
    <span className="text-meta text-neg-ink" role="status">
      {answer.note}
    </span>
  )
  const dialogs = !isEnded && (
    <>
      {answer.rejection.dialog && (
        <Suspense fallback={<LoadingDialog onClose={answer.rejection.close} />}>
          <RejectDialog
            type={task.type}
            review={task.review}
            initial={answer.rejection.dialog.reason ?? feedbackIn(drafts.list)}
            previousProblem={answer.problem}
            onChange={(feedback) =>
              drafts.change(reservedActions.rejectRequest.id, { feedback }, task.revision)
            }
            onReject={answer.rejection.send}
            onClose={answer.rejection.close}
          />
        </Suspense>
      )}
      {answer.markDone.isConfirming && (
        <MarkDoneDialog onConfirm={() => void answer.markDone.confirm()} onClose={answer.markDone.cancel} />
      )}
    </>
  )
  const parts = { questionButtons, answerProblem, questionProblem, note, dialogs }
  if (question.kind) {
    const body = <QuestionComposer task={task} question={question} />
    return { ...parts, body, submit: <QuestionSubmit question={question} /> }
  }
  if (!chosen) return { ...parts, body: undefined, submit: undefined }
  const common = { action: chosen, answer, isEnded }
  return {
    ...parts,
    body: <AnswerForm key={`${chosen.id} ${version}`} {...common} task={task} drafts={drafts} />,
    submit: <SubmitRow key={chosen.id} {...common} draft={drafts.state} />,
  }
}

/**
 * When a revision replaces the form in which a person types, focus and cursor move to the same
 * field of the new one. If there is no such field, the task takes the focus and `useDropLostText` drops
 * what they type next.
 */
function useKeptFocus(form: string) {
  const focused = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    const before = focused.current
    if (!before || before.isConnected || document.activeElement !== document.body) return
    const field = document.getElementById(before.id) ?? document.getElementById('task-content')
    field?.focus({ preventScroll: true })
    if (hasCursor(before) && hasCursor(field))
      field.setSelectionRange(before.selectionStart, before.selectionEnd)
  }, [form])
  return ({ target }: FocusEvent<HTMLElement>) => {
    focused.current = target
  }
}

/** Other inputs, such as numbers, have no cursor that can be read. */
function hasCursor(field: Element | null): field is HTMLInputElement | HTMLTextAreaElement {
  const isInput = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  return isInput && field.selectionStart !== null
}

const draftDataOf = (drafts: Draft[], actionId: string) =>
  drafts.find((draft) => draft.actionId === actionId)?.data

function feedbackIn(drafts: Draft[]): string {
  const feedback = draftDataOf(drafts, reservedActions.rejectRequest.id)?.feedback
  return typeof feedback === 'string' ? feedback : ''
}
