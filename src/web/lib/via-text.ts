import type { Via } from '../../contract/task-answer.ts'

/** Follows the name of the person who answered, unless they answered in the web app. */
export function viaText(via: Via): string {
  if (via === 'slack') return ' in Slack'
  return via === 'cli' ? ' at the command line' : ''
}
