import { type ReactNode, type RefObject, useRef } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { sendShortcuts } from '../answering/use-answer-keys.ts'
import { type Answering, sendsAtOnce } from '../answering/use-answering.ts'
import { questionTexts } from '../questions/question-composer.tsx'
import type { QuestionComposerState } from '../questions/use-question-composer.ts'
import { AnswerSheet } from './answer-sheet.tsx'
import { PhoneActions } from './phone-actions.tsx'

type Props = {
  answering: Answering
  composer: QuestionComposerState
  drafts: Draft[]
  isEnded: boolean
  questionButtons: ReactNode
  body: ReactNode
  submit: ReactNode
  answerProblem: ReactNode
  questionProblem: ReactNode
  hint: ReactNode
  /** Says that the agent takes no questions. */
  noQuestions: ReactNode
  onMarkDone: () => void
  onReject: () => void
}

/** The dock on a phone: buttons for all actions, and a sheet for the form of the chosen one. */
export default function PhoneDock(props: Props) {
  const { answering, composer, drafts, isEnded, questionButtons, body, submit, hint } = props
  const { answerProblem, questionProblem, noQuestions, onMarkDone, onReject } = props
  const { actions, chosen, choose } = answering
  /** By action: where its form is scrolled to. */
  const scrolledTo = useRef(new Map<string, RefObject<number>>())
  // Once the task has ended, a sheet must not cover the strip that says how it ended.
  const sheetAction = isEnded ? undefined : chosen
  const shortcuts = sendShortcuts(answering, composer)

  function tap(action: Action) {
    if (sendsAtOnce(action)) void answering.submit({ action })
    else choose(action.id)
  }

  function positionOf({ id }: Action): RefObject<number> {
    const position = scrolledTo.current.get(id) ?? { current: 0 }
    scrolledTo.current.set(id, position)
    return position
  }

  return (
    <>
      <PhoneActions
        actions={actions}
        drafts={drafts}
        isDisabled={isEnded || answering.isSending}
        onTap={tap}
        onMarkDone={onMarkDone}
        onReject={onReject}
        questionButtons={questionButtons}
      />
      {composer.kind && !isEnded ? (
        <AnswerSheet
          title={questionTexts[composer.kind].send}
          shortcuts={shortcuts}
          onClose={composer.close}
          footer={submit}
        >
          {body}
        </AnswerSheet>
      ) : sheetAction ? (
        <AnswerSheet
          title={sheetAction.title}
          scrolledTo={positionOf(sheetAction)}
          shortcuts={shortcuts}
          onClose={() => choose(undefined)}
          footer={
            <>
              {submit}
              {hint}
            </>
          }
        >
          {body}
        </AnswerSheet>
      ) : (
        <>
          {noQuestions}
          {answerProblem}
          {questionProblem}
          {hint}
        </>
      )}
    </>
  )
}
