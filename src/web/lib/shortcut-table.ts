export type ShortcutEntry = {
  /** Names for `useShortcuts`. In a sequence of two keys, a space separates them. */
  keys: readonly string[]
  label: string
  /** Passed to `capOf` instead of `keys`, if the key caps cannot be derived from `keys`. */
  caps?: readonly string[]
  /** Listed in the command palette. */
  isCommand?: true
}
type ShortcutGroup = { title: string; entries: readonly ShortcutEntry[] }

/**
 * All keyboard shortcuts: the source for the shortcut sheet, palette and settings, and for the
 * names that handlers use. Pages that only use its types do not load its texts.
 */
export const shortcutTable = [
  {
    title: 'Tasks',
    entries: [
      { keys: ['j', 'ArrowDown'], label: 'Next task', isCommand: true },
      { keys: ['k', 'ArrowUp'], label: 'Previous task', isCommand: true },
      { keys: ['Enter', 'o'], label: 'Go to the task' },
      { keys: ['Escape'], label: 'Leave the field, clear the selection or search, go back to the list' },
      { keys: ['Space', 'Shift+Space'], label: 'Scroll the task' },
      { keys: ['/', 'Shift+/'], caps: ['/'], label: 'Search', isCommand: true },
      { keys: ['f'], label: 'Filter', isCommand: true },
      { keys: ['v'], label: 'Save the filters as a view', isCommand: true },
      { keys: ['l'], label: 'Copy link to the task', isCommand: true },
      { keys: ['a'], label: 'Assign the task', isCommand: true },
      { keys: ['n'], label: 'Add a note', isCommand: true },
      { keys: ['h'], label: 'Snooze the task', isCommand: true },
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
        caps: ['Alt+1…9'],
        label: 'Choose an action, and send it if it has no form and you can undo it',
      },
      { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], caps: ['1…9'], label: 'Pick an option' },
      { keys: ['$mod+Enter'], label: 'Send and open next task' },
      // The form handles this Enter. Elsewhere, Enter opens the task.
      { keys: [], caps: ['↵'], label: 'Send from a one-line field or an option, if you can undo it' },
      { keys: ['$mod+Shift+Enter'], label: 'Send and stay on this task' },
      { keys: ['.'], label: 'Fold or unfold your answer', isCommand: true },
      { keys: ['i'], label: 'Edit the text', isCommand: true },
      { keys: ['e'], label: 'Mark done', isCommand: true },
      { keys: ['r'], label: 'Reject with feedback', isCommand: true },
      { keys: ['q'], label: 'Ask the agent', isCommand: true },
      { keys: ['c'], label: 'Request changes', isCommand: true },
      { keys: ['t'], label: 'Go to the reply of the agent', isCommand: true },
      { keys: ['z', '$mod+z'], label: 'Undo the last answer or snooze', isCommand: true },
    ],
  },
  {
    title: 'Compare',
    entries: [
      { keys: ['d'], label: 'Show changes or differences', isCommand: true },
      { keys: ['b'], label: 'Hide names', isCommand: true },
      { keys: ['w'], label: 'Swap sides', isCommand: true },
      { keys: ['y'], label: 'Scroll together', isCommand: true },
    ],
  },
  {
    title: 'Bulk actions',
    entries: [
      { keys: ['x'], label: 'Select the task', isCommand: true },
      { keys: ['Shift+j', 'Shift+k'], label: 'Extend selection down or up' },
      { keys: ['$mod+a'], label: 'Select all loaded tasks', isCommand: true },
    ],
  },
  {
    title: 'General',
    entries: [
      { keys: ['$mod+k'], label: 'Search tasks and commands' },
      { keys: ['?', 'Shift+?'], caps: ['?'], label: 'Keyboard shortcuts', isCommand: true },
      { keys: ['g i'], label: 'Go to the inbox' },
      { keys: ['g h'], label: 'Go to handled tasks' },
      { keys: ['g s'], label: 'Go to statistics' },
      { keys: ['g r'], label: 'Go to rules' },
      { keys: ['g e'], label: 'Go to examples' },
      { keys: ['g t'], label: 'Go to settings' },
    ],
  },
] as const satisfies readonly ShortcutGroup[]

export type ShortcutName = (typeof shortcutTable)[number]['entries'][number]['keys'][number]

type NamedEntry = Omit<ShortcutEntry, 'keys'> & { keys: readonly ShortcutName[] }

export const shortcutEntries: readonly NamedEntry[] = shortcutTable.flatMap(
  ({ entries }) => entries as readonly NamedEntry[],
)
