import type { ShortcutName } from '../../lib/shortcut-table.ts'
import type { Shortcuts } from '../../lib/shortcuts.ts'

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
type Digit = (typeof digits)[number]

/** The keys that answer the open task. */
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

/** Shortcuts for the keys 1 to 9. `run` receives the index, which is one less than the digit. */
export function digitShortcuts<Prefix extends '' | 'Alt+Digit'>(
  prefix: Prefix,
  run: (index: number, event: KeyboardEvent) => void,
) {
  return Object.fromEntries(
    digits.map((digit, index) => [`${prefix}${digit}`, (event: KeyboardEvent) => run(index, event)]),
  ) as Required<Pick<Shortcuts, `${Prefix}${Digit}`>>
}
