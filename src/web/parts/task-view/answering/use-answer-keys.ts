import type { QuestionKind } from '../../../../contract/question.ts'
import { useCommands } from '../../../lib/commands.ts'
import type { ShortcutName } from '../../../lib/shortcut-table.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { pickOption } from '../../form/option-digits.ts'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import { digitShortcuts } from '../digit-shortcuts.ts'
import { focusEditor } from '../inline-editing/focus-editor.ts'
import { useEditHandler, useInlineEditing } from '../inline-editing/use-inline-editing.ts'
import type { QuestionComposerState } from '../questions/use-question-composer.ts'
import type { AnswerKey } from './answer-keys.ts'
import { type Answering, sendsAtOnce } from './use-answering.ts'

type Options = {
  answering: Answering
  isEnded: boolean
  /** Tasks are selected in the list: the keys apply to them instead. */
  isSelecting: boolean
  /** Unfolds the dock. Called before a key shows or changes a form. */
  onUnfold: () => void
  onMarkDone: () => void
  onReject: () => void
  composer: QuestionComposerState
  /** Opens the composer, or says that the agent takes no questions. */
  onAsk: (kind: QuestionKind) => void
}

/** The shortcuts of the buttons that send the answer or the question. */
export function sendShortcuts(answering: Options['answering'], composer: QuestionComposerState) {
  return {
    '$mod+Enter': (event: KeyboardEvent) => {
      event.preventDefault()
      void (composer.kind ? composer.send() : answering.submit())
    },
    '$mod+Shift+Enter': (event: KeyboardEvent) => {
      event.preventDefault()
      if (!composer.kind) void answering.submit({ stays: true })
    },
  }
}

/** The shortcuts that answer the displayed task, edit its texts or ask its agent. */
export function useAnswerKeys(options: Options): void {
  const { answering, isEnded, isSelecting, onUnfold, onMarkDone, onReject, composer, onAsk } = options
  const display = useTaskDisplay()
  const editing = useInlineEditing()

  function chooseAction(actionId: string) {
    composer.close()
    onUnfold()
    answering.choose(actionId, 'key')
  }

  /** Sends the action at an index if one press may send it, otherwise chooses it. */
  function answerByKey(index: number, event: KeyboardEvent) {
    const action = answering.actions[index]
    if (!action || isEnded || answering.isSending) return
    event.preventDefault()
    if (!sendsAtOnce(action)) return chooseAction(action.id)
    composer.close()
    void answering.submit({ action })
  }

  // From the palette, an action of the agent is only chosen, never sent: the person may not have
  // seen its form.
  useCommands(
    isSelecting || isEnded
      ? []
      : answering.actions.map(({ id, title }, n) => ({
          id: `action ${id}`,
          group: 'Answer',
          label: title,
          ...(n < 9 && { shortcut: `Alt+Digit${n + 1}` as ShortcutName }),
          run: () => chooseAction(id),
        })),
  )

  /** Starts to edit a field of the context, and chooses an action whose form contains its text. */
  function editField(field: string) {
    if (isEnded || answering.isSending) return
    const { chosen, actions } = answering
    const action = [...(chosen ? [chosen] : []), ...actions].find(({ id }) =>
      editing?.fieldsOf(id).includes(field),
    )
    if (!action) return
    composer.close()
    onUnfold()
    editing?.startEditing(field)
    if (action.id !== chosen?.id) answering.choose(action.id)
    focusEditor(field)
  }
  useEditHandler(editField)

  const shortcuts: Record<AnswerKey, (event: KeyboardEvent) => void> = {
    i: () => {
      const field = editing?.forContext.firstEditable
      if (field !== undefined) editField(field)
    },
    e: onMarkDone,
    r: onReject,
    q: () => onAsk('question'),
    c: () => onAsk('changes'),
    ...sendShortcuts(answering, composer),
    ...digitShortcuts('Alt+Digit', answerByKey),
    ...digitShortcuts('', (index) => {
      onUnfold()
      if (!display?.pickPane(index)) pickOption(index + 1, '[data-answer-form]')
    }),
  }
  useShortcuts(isSelecting ? {} : shortcuts)
}
