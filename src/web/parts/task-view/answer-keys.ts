import type { ShortcutName } from '../../lib/shortcut-table.ts'
import { digits } from './digit-shortcuts.ts'

/** Keys that act on the open task; refused while it loads. */
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
