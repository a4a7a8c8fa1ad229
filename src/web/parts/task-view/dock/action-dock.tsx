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
import { type Answering, noQuestionsText, useAnswering } from '../answering/use-answering.ts'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import type { TaskDrafts } from '../drafts/use-drafts.ts'
import { notSentText } from '../questions/message-drafts.ts'
import { QuestionButtons } from '../questions/question-buttons.tsx'
import { QuestionComposer, QuestionSubmit } from '../questions/question-composer.tsx'
import {
  type OnAsked,
  type QuestionComposerState,
  useQuestionComposer,
} from '../questions/use-question-composer.ts'
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
  const answering = useAnswering({ task, gate, isEnded, drafts, onSend })
  const { actions } = answering
  const { composer, ask, chooseAction } = useAsking({ task, gate, answering, isEnded, onAsked })
  const isAsking = composer.kind !== undefined
  // While the person writes to the agent, the composer covers the form of the chosen action.
  const shownAction = isAsking ? undefined : answering.chosen

  const dock = useRef<HTMLElement>(null)
  const place = useDockPlace(dock, task.actions)
  const fold = useDockFold(answering, !isPhone && !place.isBeside && !isAsking)
  // Tests wait for this attribute. It is not React state, because rerendering a long form would cause
  // a noticeable delay while typing.
  useEffect(
    () => gate.subscribe((isOpen) => dock.current?.toggleAttribute('data-answerable', isOpen)),
    [gate],
  )

  const markDone = () => void answering.markDone.start()
  const openReject = () => !isEnded && !answering.isSending && answering.rejection.open()
  useAnswerKeys({
    answering,
    composer,
    onAsk: ask,
    isEnded,
    isSelecting,
    onUnfold: fold.unfold,
    onMarkDone: markDone,
    onReject: openReject,
  })

  const formVersion = (shownAction && display?.formVersion(shownAction.id)) ?? 0
  const onFocus = useKeptFocus(`${shownAction?.id} ${formVersion}`)
  const { dialogs, ...parts } = dockParts({
    task,
    answering,
    composer,
    shownAction,
    isEnded,
    drafts,
    formVersion,
    onAsk: ask,
  })
  const noQuestions = !task.acceptsQuestions && !isEnded && !answering.hint && !fold.isFolded && (
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
      onFocus={onFocus}
    >
      {isPhone ? (
        <Suspense>
          <PhoneDock
            answering={answering}
            composer={composer}
            drafts={drafts.list}
            isEnded={isEnded}
            {...parts}
            noQuestions={noQuestions}
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
            <ActionPicker
              actions={actions}
              chosenId={shownAction?.id}
              isEnded={isEnded}
              onChoose={chooseAction}
            />
            {parts.questionButtons}
            {fold.isFolded && shownAction && (
              <Suspense>
                <DraftSummary action={shownAction} data={draftDataOf(drafts.list, shownAction.id)} />
              </Suspense>
            )}
          </header>
          {!fold.isFolded && parts.questionProblem}
          {parts.body ?? parts.answerProblem}
          <footer>
            {parts.submit}
            {parts.hint}
            {!isNarrow && noQuestions}
            <BuiltInActions
              isDisabled={isEnded || answering.isSending}
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
  answering: Answering
}

/**
 * The question to the agent, whose composer covers the form of the chosen action. `ask` opens the
 * composer, or says that the agent takes no questions. `chooseAction` closes the composer first.
 */
function useAsking({ task, gate, answering, isEnded, onAsked }: AskingInputs) {
  const composer = useQuestionComposer({
    task,
    gate,
    isDisabled: isEnded || answering.isSending,
    onAsked(taskId, asked, isShown) {
      if (isShown) {
        // If the task stays on screen, another Ctrl+Enter must not send the form that the question
        // covered.
        answering.choose(undefined)
        document.getElementById('task-content')?.focus({ preventScroll: true })
      }
      onAsked(taskId, asked, isShown)
    },
  })
  function ask(kind: QuestionKind) {
    if (task.acceptsQuestions) return composer.open(kind)
    // Nothing opens, so what is typed next must not answer the task.
    gate.refuse()
    if (!isEnded) answering.setHint(noQuestionsText)
  }
  function chooseAction(actionId: string | undefined) {
    composer.close()
    // The form of this action was only covered by the composer.
    if (composer.kind !== undefined && actionId === answering.chosen?.id) return
    answering.choose(actionId, 'click')
  }
  return { composer, ask, chooseAction }
}

type PartsInputs = Pick<Props, 'task' | 'isEnded' | 'drafts'> & {
  answering: Answering
  composer: QuestionComposerState
  shownAction: Action | undefined
  /** Rises when a revision changes the form of the action, which is then mounted anew. */
  formVersion: number
  onAsk: (kind: QuestionKind) => void
}

/**
 * What the dock and the dock of a phone arrange differently: the form of the chosen action or the
 * question composer (`body`), its buttons (`submit`), messages and dialogs.
 */
function dockParts({
  task,
  answering,
  composer,
  shownAction,
  isEnded,
  drafts,
  formVersion,
  onAsk,
}: PartsInputs) {
  const questionButtons = task.acceptsQuestions && (
    <QuestionButtons
      openKind={composer.kind}
      isDisabled={isEnded || answering.isSending}
      onOpen={onAsk}
      onClose={composer.cancel}
    />
  )
  const answerProblem = answering.problem && !answering.rejection.dialog && (
    <ProblemStrip message="Your answer wasn't sent." problem={answering.problem} />
  )
  // Shown if the person left the task while the question was being sent. The open composer shows the
  // problem itself.
  const questionProblem = composer.problem && !composer.kind && (
    <ProblemStrip message={notSentText} problem={composer.problem} />
  )
  const hint = (
    <span className="text-meta text-neg-ink" role="status">
      {answering.hint}
    </span>
  )
  const dialogs = !isEnded && (
    <>
      {answering.rejection.dialog && (
        <Suspense fallback={<LoadingDialog onClose={answering.rejection.close} />}>
          <RejectDialog
            type={task.type}
            review={task.review}
            initial={answering.rejection.dialog.reason ?? feedbackIn(drafts.list)}
            previousProblem={answering.problem}
            onChange={(feedback) =>
              drafts.change(reservedActions.rejectRequest.id, { feedback }, task.revision)
            }
            onReject={answering.rejection.send}
            onClose={answering.rejection.close}
          />
        </Suspense>
      )}
      {answering.markDone.isConfirming && (
        <MarkDoneDialog
          onConfirm={() => void answering.markDone.confirm()}
          onClose={answering.markDone.cancel}
        />
      )}
    </>
  )
  const parts = { questionButtons, answerProblem, questionProblem, hint, dialogs }
  if (composer.kind) {
    const body = <QuestionComposer task={task} composer={composer} />
    return { ...parts, body, submit: <QuestionSubmit composer={composer} /> }
  }
  if (!shownAction) return { ...parts, body: undefined, submit: undefined }
  const common = { action: shownAction, answering, isEnded }
  return {
    ...parts,
    body: <AnswerForm key={`${shownAction.id} ${formVersion}`} {...common} task={task} drafts={drafts} />,
    submit: <SubmitRow key={shownAction.id} {...common} draftState={drafts.stateOf(shownAction.id)} />,
  }
}

/**
 * When a revision replaces the form in which a person types, focus and cursor move to the same
 * field of the new form. If there is no such field, the task takes the focus, and
 * `useDropLostText` drops what they type next. Returns the handler that remembers the focused field.
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

/** Whether the position of the cursor can be read, unlike in, for example, an input for numbers. */
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
