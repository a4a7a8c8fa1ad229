import { keyCap } from '../../lib/shortcuts.ts'

type Group = { title: string; keys: [keys: string[], does: string][] }

export const shortcutGroups: Group[] = [
  {
    title: 'Tasks',
    keys: [
      [['J', '↓'], 'Next task'],
      [['K', '↑'], 'Previous task'],
      [['Enter', 'O'], 'Into the task'],
      [['Esc'], 'Out of a field, then back to the list'],
      [['?'], 'All shortcuts'],
    ],
  },
  {
    title: 'Answer',
    keys: [
      [[keyCap.action('1…9')], 'Choose an action'],
      [['1…9'], 'Pick an option'],
      [[keyCap.submit], 'Send and go on'],
      [['E'], 'Mark done'],
      [['R'], 'Reject with feedback'],
    ],
  },
]
