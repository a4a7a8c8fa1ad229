import type { Shortcuts } from '../../lib/shortcuts.ts'

export const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
type Digit = (typeof digits)[number]

/** Shortcuts for the keys 1 to 9. `run` receives the index, which is one less than the digit. */
export function digitShortcuts<Prefix extends '' | 'Alt+Digit'>(
  prefix: Prefix,
  run: (index: number, event: KeyboardEvent) => void,
) {
  return Object.fromEntries(
    digits.map((digit, index) => [`${prefix}${digit}`, (event: KeyboardEvent) => run(index, event)]),
  ) as Required<Pick<Shortcuts, `${Prefix}${Digit}`>>
}
