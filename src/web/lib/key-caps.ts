import type { ShortcutName } from './shortcut-table.ts'

export const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)

const keyLabels: Record<string, string> = {
  Enter: '↵',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  $mod: isMac ? '⌘' : 'Ctrl ',
  Shift: isMac ? '⇧' : 'Shift ',
  Alt: isMac ? '⌥' : 'Alt ',
}

/** The keys of a shortcut as printed on the person's keyboard. */
export function capOf(name: ShortcutName): string {
  return name
    .split(' ')
    .map((press) =>
      press
        .split('+')
        .map((key) => keyLabels[key] ?? key.replace(/^Digit/, ''))
        .map((key) => (key.length === 1 ? key.toUpperCase() : key))
        .join(''),
    )
    .join(' ')
}
