import type { ShortcutName } from '../../lib/shortcut-table.ts'
import type { Shortcuts } from '../../lib/shortcuts.ts'

export function digitShortcuts(
  prefix: '' | 'Alt+Digit',
  run: (n: number, event: KeyboardEvent) => void,
): Partial<Shortcuts> {
  return Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      `${prefix}${n + 1}` as ShortcutName,
      (event: KeyboardEvent) => run(n, event),
    ]),
  )
}
