import type { QuestionKind } from '../../../../contract/question.ts'
import { useCommands } from '../../../lib/commands.ts'
import type { ShortcutName } from '../../../lib/shortcut-table.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { pickOption } from '../../form/option-digits.ts'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import { digitShortcuts } from '../digit-shortcuts.ts'
import { focusEditor } from '../inline-editing/focus-editor.ts'
import { useEditHandler, useInlineEditing } from '../inline-editing/use-inline-editing.ts'
import type { Question } from '../questions/use-question.ts'
import type { AnswerKey } from './answer-keys.ts'
import { sendsAtOnce, type useDockAnswer } from './use-dock-answer.ts'

type Options = {
  answer: ReturnType<typeof useDockAnswer>
  isEnded: boolean
  /** Tasks are selected in the list: the keys apply to them instead. */
  isSelecting: boolean
  /** Called before a key shows or changes a form. */
  onUnfold: () => void
  onMarkDone: () => void
  onReject: () => void
  question: Question
  /** Opens the composer, or says why there is none. */
  onAsk: (kind: QuestionKind) => void
}

/** The shortcuts that do the same as the buttons below the form or the question. */
export function sendShortcuts(answer: Options['answer'], question: Question) {
  return {
    '$mod+Enter': (event: KeyboardEvent) => {
      event.preventDefault()
      void (question.kind ? question.send() : answer.submit())
    },
    '$mod+Shift+Enter': (event: KeyboardEvent) => {
      event.preventDefault()
      if (!question.kind) void answer.submit({ stays: true })
    },
  }
}

/** The shortcuts that answer the open task, edit its texts or ask its agent. */
export function useAnswerKeys(options: Options): void {
  const { answer, isEnded, isSelecting, onUnfold, onMarkDone, onReject, question, onAsk } = options
  const display = useTaskDisplay()
  const editing = useInlineEditing()

  function chooseAction(actionId: string) {
    question.close()
    onUnfold()
    answer.choose(actionId, true)
  }

  function chooseByKey(n: number, event: KeyboardEvent) {
    const action = answer.actions[n]
    if (!action || isEnded || answer.isSending) return
    event.preventDefault()
    if (!sendsAtOnce(action)) return chooseAction(action.id)
    question.close()
    void answer.submit({ action })
  }

  // From the palette, an action of the agent is only chosen, never sent: the person may not have
  // seen its form.
  useCommands(
    isSelecting || isEnded
      ? []
      : answer.actions.map(({ id, title }, n) => ({
          id: `action ${id}`,
          group: 'Answer',
          label: title,
          ...(n < 9 && { shortcut: `Alt+Digit${n + 1}` as ShortcutName }),
          run: () => chooseAction(id),
        })),
  )

  /** Starts to edit a field of the context, with the action that sends it. */
  function editField(field: string) {
    if (isEnded || answer.isSending) return
    const { chosen, actions } = answer
    const action = [...(chosen ? [chosen] : []), ...actions].find(({ id }) =>
      editing?.fieldsOf(id).includes(field),
    )
    if (!action) return
    question.close()
    onUnfold()
    editing?.start(field)
    if (action.id !== chosen?.id) answer.choose(action.id)
    focusEditor(field)
  }
  useEditHandler(editField)

  const shortcuts: Record<AnswerKey, (event: KeyboardEvent) => void> = {
    i: () => {
      const field = editing?.inlineEditing.firstEditable
      if (field !== undefined) editField(field)
    },
    e: onMarkDone,
    r: onReject,
    q: () => onAsk('question'),
    c: () => onAsk('changes'),
    ...sendShortcuts(answer, question),
    ...digitShortcuts('Alt+Digit', chooseByKey),
    ...digitShortcuts('', (index) => {
      onUnfold()
      if (!display?.pickPane(index)) pickOption(index + 1, '[data-answer-form]')
    }),
  }
  useShortcuts(isSelecting ? {} : shortcuts)
}
