import type { Via } from '../../contract/task-answer.ts'

/**
 * Follows the name of the person who answered. Empty unless they answered in Slack or at the
 * command line.
 */
export function viaText(via: Via): string {
  if (via === 'slack') return ' in Slack'
  return via === 'cli' ? ' at the command line' : ''
}
