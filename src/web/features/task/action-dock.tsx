import { useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { useHere } from '../../lib/person.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import type { Answer } from '../inbox/use-answers.ts'
import { ActionPicker } from './action-picker.tsx'
import { AnswerForm } from './answer-form.tsx'
import { AnswerSheet } from './answer-sheet.tsx'
import { OwnActions } from './own-actions.tsx'
import { PhoneActions } from './phone-actions.tsx'
import { usePresentedTask } from './presented.ts'
import { RejectDialog } from './reject-dialog.tsx'
import { SubmitRow } from './submit-row.tsx'
import { useAnswer } from './use-answer.ts'
import type { useDrafts } from './use-drafts.ts'

type Props = {
  task: TaskRecord
  /** It ended while it was open here: what was typed stays, but nothing can be sent any more. */
  isEnded: boolean
  drafts: ReturnType<typeof useDrafts>
  onSend: (answer: Answer) => Promise<HandrailProblem | undefined>
}

/** Where a person decides. Always in view: below the context, beside it on wide screens, a bar and a sheet on phones. */
export function ActionDock({ task, isEnded, drafts, onSend }: Props) {
  const { api } = useHere()
  const isPhone = useIsPhone()
  const [isRejecting, setRejecting] = useState(false)
  const answer = useAnswer({ task, isEnded, drafts, onSend })
  const { actions, chosen, choose } = answer
  const presented = usePresentedTask()

  const markDone = () => void answer.send('Mark done', () => api.markDone(task.taskId))
  const reject = (feedback: string) =>
    onSend({
      taskId: task.taskId,
      title: 'Reject request',
      run: () => api.rejectTask(task.taskId, { feedback }),
    })

  useShortcuts({
    e: () => !isEnded && markDone(),
    r: (event) => {
      if (isEnded) return
      event.preventDefault()
      setRejecting(true)
    },
    '$mod+Enter': (event) => {
      event.preventDefault()
      void answer.submit()
    },
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `Alt+Digit${n + 1}`,
        (event: KeyboardEvent) => {
          const action = actions[n]
          if (!action) return
          event.preventDefault()
          choose(action.id, true)
        },
      ]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `${n + 1}`,
        () => pickByDigit(n, (place) => presented?.choosePane(place) ?? false),
      ]),
    ),
  })

  const body = chosen && (
    <AnswerForm key={chosen.id} action={chosen} answer={answer} isEnded={isEnded} drafts={drafts} />
  )
  const submit = chosen && (
    <SubmitRow action={chosen} answer={answer} isEnded={isEnded} draft={drafts.state} />
  )

  return (
    <aside className={chosen ? 'dock' : 'dock idle'} aria-label="Your answer">
      {isPhone ? (
        <>
          <PhoneActions
            actions={actions}
            isEnded={isEnded}
            onChoose={(id) => choose(id)}
            onMarkDone={markDone}
            onReject={() => setRejecting(true)}
          />
          {/* Once it has ended, the strip above says so and keeps the draft; nothing may cover it. */}
          {chosen && !isEnded && (
            <AnswerSheet title={chosen.title} onClose={() => choose(undefined)} footer={submit}>
              {body}
            </AnswerSheet>
          )}
        </>
      ) : (
        <>
          <header>
            <h2>Your answer</h2>
            <ActionPicker
              actions={actions}
              chosenId={chosen?.id}
              isEnded={isEnded}
              onChoose={(id) => choose(id)}
            />
          </header>
          {body}
          <footer>
            {submit}
            {answer.note && <span className="text-meta text-neg-ink">{answer.note}</span>}
            <OwnActions isEnded={isEnded} onMarkDone={markDone} onReject={() => setRejecting(true)} />
          </footer>
        </>
      )}
      {isRejecting && <RejectDialog onReject={reject} onClose={() => setRejecting(false)} />}
    </aside>
  )
}

/** A digit picks in the choice that has focus, else a pane to compare, else in the only choice of the form. */
function pickByDigit(n: number, choosePane: (n: number) => boolean) {
  const focused = document.activeElement?.closest('[data-choice]')
  if (!focused && choosePane(n)) return
  const choices = document.querySelectorAll('.answer [data-choice]')
  const choice = focused ?? (choices.length === 1 ? choices[0] : undefined)
  choice?.querySelectorAll<HTMLInputElement>('input')[n]?.click()
}
