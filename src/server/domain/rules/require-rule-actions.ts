import { limits } from '../../../contract/limits.ts'
import type { RuleAnswer } from '../../../contract/rules/rule.ts'
import { pathBelow } from '../../../contract/violation.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { CurrentTask } from '../../storage/rules/history.ts'
import { invalidRequest, payloadTooLarge } from '../problems.ts'
import { checkRuleAnswer } from './check-rule-answer.ts'

/**
 * The action of a rule's answer, as the newest task with this action (`current`) has it, and all
 * actions of that task. Throws unless the answer fits the form.
 */
export function requireRuleActions(
  current: CurrentTask | undefined,
  { actionId, data }: RuleAnswer,
): { action: StoredAction; actions: StoredAction[] } {
  const action = current?.actions.find(({ id }) => id === actionId)
  if (!current || !action) {
    const message = 'No recent task of this app and type has this action. Send the id of one that tasks have.'
    throw invalidRequest([{ path: 'answer.actionId', message }])
  }
  const checked = checkRuleAnswer(action, current.contextData, data)
  if ('answer' in checked) return { action, actions: current.actions }
  const { refusal } = checked
  if (refusal === 'too many fields') {
    const message = 'The form of this action has too many fields for a rule. Let people answer it.'
    throw invalidRequest([{ path: 'answer.actionId', message }])
  }
  if (refusal === 'too long')
    throw payloadTooLarge(`An answer may have at most ${limits.answerBytes} bytes. Shorten it.`)
  throw invalidRequest(refusal.map((error) => ({ ...error, path: pathBelow('answer.data', error.path) })))
}
