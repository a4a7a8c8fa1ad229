import { type ReactNode, type RefObject, useRef } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { sendShortcuts } from '../answering/use-answer-keys.ts'
import { sendsAtOnce, type useDockAnswer } from '../answering/use-dock-answer.ts'
import { questionTexts } from '../questions/question-composer.tsx'
import type { Question } from '../questions/use-question.ts'
import { AnswerSheet } from './answer-sheet.tsx'
import { PhoneActions } from './phone-actions.tsx'

type Props = {
  answer: ReturnType<typeof useDockAnswer>
  question: Question
  drafts: Draft[]
  isEnded: boolean
  questionButtons: ReactNode
  body: ReactNode
  submit: ReactNode
  answerProblem: ReactNode
  questionProblem: ReactNode
  note: ReactNode
  /** Why the buttons for asking the agent are missing. */
  hint: ReactNode
  onMarkDone: () => void
  onReject: () => void
}

/** The dock on a phone: buttons for all actions, and a sheet for the form of the chosen one. */
export default function PhoneDock(props: Props) {
  const { answer, question, drafts, isEnded, questionButtons, body, submit, note } = props
  const { answerProblem, questionProblem, hint, onMarkDone, onReject } = props
  const { actions, chosen, choose } = answer
  const scrolledTo = useRef(new Map<string, RefObject<number>>())
  // Once the task has ended, the sheet must not cover the strip that explains it.
  const sheet = isEnded ? undefined : chosen
  const shortcuts = sendShortcuts(answer, question)

  function tap(action: Action) {
    if (sendsAtOnce(action)) void answer.submit({ action })
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
        isDisabled={isEnded || answer.isSending}
        onTap={tap}
        onMarkDone={onMarkDone}
        onReject={onReject}
        questionButtons={questionButtons}
      />
      {question.kind && !isEnded ? (
        <AnswerSheet
          title={questionTexts[question.kind].send}
          shortcuts={shortcuts}
          onClose={question.close}
          footer={submit}
        >
          {body}
        </AnswerSheet>
      ) : sheet ? (
        <AnswerSheet
          title={sheet.title}
          scrolledTo={positionOf(sheet)}
          shortcuts={shortcuts}
          onClose={() => choose(undefined)}
          footer={
            <>
              {submit}
              {note}
            </>
          }
        >
          {body}
        </AnswerSheet>
      ) : (
        <>
          {hint}
          {answerProblem}
          {questionProblem}
          {note}
        </>
      )}
    </>
  )
}
