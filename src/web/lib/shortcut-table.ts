type Entry = {
  /** Names for `useShortcuts`; a sequence of two keys is separated by a space. */
  keys: readonly string[]
  does: string
  /** Only if the key caps cannot be derived from the names. */
  caps?: readonly string[]
  /** Listed in the command palette. */
  isCommand?: true
  /** Repeats while the key is held. Never set for shortcuts that answer a task. */
  repeats?: true
}
type Group = { title: string; entries: readonly Entry[] }

// Tests import this table in an environment without navigator.
const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '')
const option = isMac ? '⌥' : 'Alt '

/** All keyboard shortcuts: the source for handlers, shortcut sheet, palette and settings. */
export const shortcutTable = [
  {
    title: 'Tasks',
    entries: [
      { keys: ['j', 'ArrowDown'], does: 'Next task', isCommand: true, repeats: true },
      { keys: ['k', 'ArrowUp'], does: 'Previous task', isCommand: true, repeats: true },
      { keys: ['Enter', 'o'], does: 'Go to the task' },
      { keys: ['Escape'], does: 'Leave the field, then go back to the list' },
      { keys: ['Space', 'Shift+Space'], does: 'Scroll the task', repeats: true },
      { keys: ['/', 'Shift+/'], caps: ['/'], does: 'Search', isCommand: true },
      { keys: ['f'], does: 'Filter', isCommand: true },
      { keys: ['l'], does: 'Copy link to the task', isCommand: true },
    ],
  },
  {
    title: 'Answer',
    entries: [
      {
        keys: [
          'Alt+Digit1',
          'Alt+Digit2',
          'Alt+Digit3',
          'Alt+Digit4',
          'Alt+Digit5',
          'Alt+Digit6',
          'Alt+Digit7',
          'Alt+Digit8',
          'Alt+Digit9',
        ],
        caps: [`${option}1…9`],
        does: 'Choose an action, and send it if it has no form',
      },
      { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], caps: ['1…9'], does: 'Pick an option' },
      { keys: ['$mod+Enter'], does: 'Send and open next task', isCommand: true },
      { keys: ['$mod+Shift+Enter'], does: 'Send and stay on this task', isCommand: true },
      { keys: ['e'], does: 'Mark done', isCommand: true },
      { keys: ['r'], does: 'Reject with feedback', isCommand: true },
      { keys: ['z', '$mod+z'], does: 'Undo the last answer', isCommand: true },
    ],
  },
  {
    title: 'Compare',
    entries: [
      { keys: ['d'], does: 'Highlight differences', isCommand: true },
      { keys: ['b'], does: 'Hide names', isCommand: true },
      { keys: ['w'], does: 'Swap sides', isCommand: true },
      { keys: ['y'], does: 'Scroll together', isCommand: true },
    ],
  },
  {
    title: 'Bulk actions',
    entries: [
      { keys: ['x'], does: 'Select the task', isCommand: true },
      { keys: ['Shift+j', 'Shift+k'], does: 'Extend selection down or up', repeats: true },
      { keys: ['$mod+a'], does: 'Select all', isCommand: true },
    ],
  },
  {
    title: 'General',
    entries: [
      { keys: ['$mod+k'], does: 'Search tasks and commands' },
      { keys: ['?', 'Shift+?'], caps: ['?'], does: 'Keyboard shortcuts', isCommand: true },
      { keys: ['g i'], does: 'Go to the inbox' },
      { keys: ['g h'], does: 'Go to handled tasks' },
      { keys: ['g s'], does: 'Go to statistics' },
      { keys: ['g e'], does: 'Go to examples' },
      { keys: ['g t'], does: 'Go to settings' },
    ],
  },
] as const satisfies readonly Group[]

export type ShortcutName = (typeof shortcutTable)[number]['entries'][number]['keys'][number]

const words: Record<string, string> = {
  Enter: '↵',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  $mod: isMac ? '⌘' : 'Ctrl ',
  Shift: isMac ? '⇧' : 'Shift ',
  Alt: option,
}

/** The key as printed on the person's keyboard. */
export function capOf(name: ShortcutName): string {
  return name
    .split(' ')
    .map((press) =>
      press
        .split('+')
        .map((key) => words[key] ?? key.replace(/^Digit/, ''))
        .map((key) => (key.length === 1 ? key.toUpperCase() : key))
        .join(''),
    )
    .join(' ')
}

export function capsOf({ keys, caps }: Entry): readonly string[] {
  return caps ?? keys.map((name) => capOf(name as ShortcutName))
}

export const shortcutEntries: readonly Entry[] = shortcutTable.flatMap(
  ({ entries }) => entries as readonly Entry[],
)

export const repeatingShortcuts: ReadonlySet<string> = new Set(
  shortcutEntries.filter(({ repeats }) => repeats).flatMap(({ keys }) => keys),
)
