import { lazy, Suspense, useEffect, useRef } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { classes } from '../../lib/classes.ts'
import { reservedActionIds } from '../../lib/reserved-actions.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { ProblemStrip } from '../../ui/strip.tsx'
import answerFrameStyles from '../answers/answer-frame.module.css'
import type { SendOptions } from '../answers/use-answers.ts'
import styles from './action-dock.module.css'
import { ActionPicker } from './action-picker.tsx'
import { AnswerForm } from './answer-form.tsx'
import { BuiltInActions } from './built-in-actions.tsx'
import dockStyles from './dock.module.css'
import { DockGrip } from './dock-grip.tsx'
import { DockTools } from './dock-tools.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { SubmitRow } from './submit-row.tsx'
import { useAnswer } from './use-answer.ts'
import { useAnswerKeys } from './use-answer-keys.ts'
import { useDockFold } from './use-dock-fold.ts'
import { useDockPlace } from './use-dock-place.ts'
import type { useDrafts } from './use-drafts.ts'

// Only needed on phones.
const PhoneDock = lazy(() => import('./phone-dock.tsx'))
// Only needed once the dock is folded.
const DraftSummary = lazy(() => import('./draft-summary.tsx'))

type Props = {
  task: TaskRecord
  gate: AnswerGate
  /** The task ended while it was shown: drafts stay visible, but nothing can be sent. */
  isEnded: boolean
  drafts: ReturnType<typeof useDrafts>
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
  isSelecting: boolean
}

/** The answer area: below the context, beside it on wide screens, a bar and a sheet on phones. */
export function ActionDock({ task, gate, isEnded, drafts, onSend, isSelecting }: Props) {
  const isPhone = useIsPhone()
  const answer = useAnswer({ task, gate, isEnded, drafts, onSend })
  const { actions, chosen, choose } = answer

  const dock = useRef<HTMLElement>(null)
  const place = useDockPlace(dock, task.actions)
  const fold = useDockFold(answer, !isPhone && !place.isBeside)
  // Not React state: rerendering a long form would cause a noticeable delay while typing.
  useEffect(
    () => gate.subscribe((isOpen) => dock.current?.toggleAttribute('data-answerable', isOpen)),
    [gate],
  )

  const markDone = () => void answer.markDone()
  const openReject = () => !isEnded && !answer.isSending && answer.setRejection({ reason: undefined })
  useAnswerKeys({
    answer,
    isEnded,
    isSelecting,
    onUnfold: fold.unfold,
    onMarkDone: markDone,
    onReject: openReject,
  })

  const body = chosen && (
    <AnswerForm
      key={chosen.id}
      action={chosen}
      task={task}
      answer={answer}
      isEnded={isEnded}
      drafts={drafts}
    />
  )
  const submit = chosen && (
    <SubmitRow key={chosen.id} action={chosen} answer={answer} isEnded={isEnded} draft={drafts.state} />
  )

  const problemStrip = answer.problem && !answer.rejection && (
    <ProblemStrip message="Your answer wasn't sent." problem={answer.problem} />
  )

  const note = (
    <span className="text-meta text-neg-ink" role="status">
      {answer.note}
    </span>
  )

  return (
    <aside
      ref={dock}
      className={classes(
        dockStyles.dock,
        answerFrameStyles.dock,
        place.isBeside && dockStyles.column,
        fold.isFolded && dockStyles.folded,
        !chosen && dockStyles.idle,
        isSelecting && dockStyles.noKeys,
      )}
      aria-label="Your answer"
    >
      {isPhone ? (
        <Suspense>
          <PhoneDock
            answer={answer}
            drafts={drafts.drafts}
            isEnded={isEnded}
            body={body}
            submit={submit}
            problemStrip={problemStrip}
            note={note}
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
              chosenId={chosen?.id}
              isEnded={isEnded}
              onChoose={(id) => choose(id)}
            />
            {fold.isFolded && chosen && (
              <Suspense>
                <DraftSummary action={chosen} data={draftOf(drafts.drafts, chosen.id)} />
              </Suspense>
            )}
          </header>
          {body ?? problemStrip}
          <footer>
            {submit}
            {note}
            <BuiltInActions
              isEnded={isEnded || answer.isSending}
              onMarkDone={markDone}
              onReject={openReject}
            />
          </footer>
          <DockTools place={place} fold={fold} />
        </>
      )}
      {answer.rejection && !isEnded && (
        <RejectDialog
          type={task.type}
          initial={answer.rejection.reason ?? feedbackIn(drafts.drafts)}
          previousProblem={answer.problem}
          onChange={(feedback) => drafts.change(reservedActionIds.rejectRequest, { feedback })}
          onReject={answer.reject}
          onClose={() => answer.setRejection(undefined)}
        />
      )}
    </aside>
  )
}

type Drafts = Props['drafts']['drafts']
const draftOf = (drafts: Drafts, actionId: string) =>
  drafts.find((draft) => draft.actionId === actionId)?.data

function feedbackIn(drafts: Drafts): string {
  const feedback = draftOf(drafts, reservedActionIds.rejectRequest)?.feedback
  return typeof feedback === 'string' ? feedback : ''
}
