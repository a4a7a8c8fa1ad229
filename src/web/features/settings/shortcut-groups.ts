import { keyCap } from '../../lib/shortcuts.ts'

type Entry = { caps: readonly string[]; does: string }

export const capsOf = ({ caps }: Entry) => caps

export const shortcutTable: { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'Tasks',
    entries: [
      { caps: ['J', '↓'], does: 'Next task' },
      { caps: ['K', '↑'], does: 'Previous task' },
      { caps: ['Enter', 'O'], does: 'Into the task' },
      { caps: ['Esc'], does: 'Out of a field, then back to the list' },
      { caps: ['?'], does: 'All shortcuts' },
    ],
  },
  {
    title: 'Answer',
    entries: [
      { caps: [keyCap.action('1…9')], does: 'Choose an action' },
      { caps: ['1…9'], does: 'Pick an option' },
      { caps: [keyCap.submit], does: 'Send and go on' },
      { caps: ['E'], does: 'Mark done' },
      { caps: ['R'], does: 'Reject with feedback' },
    ],
  },
]
