import type { ShortcutName } from '../../../lib/shortcut-table.ts'
import { digits } from '../digit-shortcuts.ts'

/**
 * Keys that answer the displayed task, edit its texts or ask its agent. They are refused while
 * the task loads.
 */
export const answerKeys = [
  'i',
  'e',
  'r',
  'q',
  'c',
  '$mod+Enter',
  '$mod+Shift+Enter',
  ...digits.map((digit) => `Alt+Digit${digit}` as const),
  ...digits,
] as const satisfies readonly ShortcutName[]

export type AnswerKey = (typeof answerKeys)[number]
