import type { CreateTask } from './create-task.ts'
import { Budget } from './forms/budget.ts'
import { checkActionAnswer } from './forms/check-answer.ts'
import { checkForm } from './forms/check-form.ts'
import { formWorkUnits } from './forms/form-limits.ts'
import { contextWarnings } from './hints.ts'
import { limits } from './limits.ts'
import { nearest } from './repairs/nearest.ts'
import { pathBelow, quoted, type Violation, Violations } from './violation.ts'

export type Patterns = {
  patternProblem: (pattern: string) => string | undefined
  matches: (pattern: string, text: string) => boolean
}

/**
 * Checks a payload that matches its schema, without the database. Reports all problems together,
 * except that `onExpire` is only checked if there are no other problems.
 */
export function checkPayload(input: CreateTask, { patternProblem, matches }: Patterns) {
  const errors = new Violations()
  const warnings = new Violations()
  const type = input.task.type ?? input.type
  if (type === undefined) {
    errors.add('task.type', 'A type is required here or at the top level, such as refund-approval.')
  } else if (input.type !== undefined && input.type !== type) {
    errors.add('type', 'Differs from task.type. Remove it.')
  }
  const budget = new Budget(formWorkUnits)
  const seen = new Set<string>()
  for (const [index, action] of input.actions.entries()) {
    if (errors.isFull || budget.remaining === 0) break
    if (seen.has(action.id)) {
      errors.add(
        `actions[${index}].id`,
        `Ids must be unique, and another action has this one. Send for example ${quoted(`${action.id.slice(0, 50)}-${index + 1}`)}.`,
      )
    }
    seen.add(action.id)
    if (action.schema !== undefined) {
      const result = checkForm(action.schema, action.ui, {
        path: `actions[${index}]`,
        patternProblem,
        budget,
      })
      errors.addAll(result.violations)
      warnings.addAll(result.warnings)
    } else if (action.ui !== undefined && Object.keys(action.ui).length > 0) {
      warnings.add(`actions[${index}].ui`, 'This action has no schema, so these hints are ignored.')
    }
  }
  if (input.context) warnings.addAll(contextWarnings(input.context.data, input.context.ui))
  if (input.metadata !== undefined && bytesOf(JSON.stringify(input.metadata)) > limits.metadataBytes) {
    errors.add('metadata', `Must be at most ${limits.metadataBytes} bytes as JSON.`)
  }
  // The answer of onExpire can only be checked against a valid form.
  if (errors.list.length === 0) errors.addAll(onExpireErrors(input, matches, budget))
  return { type, errors: errors.list, warnings: warnings.list }
}

function onExpireErrors(input: CreateTask, matches: Patterns['matches'], budget: Budget): Violation[] {
  const { onExpire } = input
  if (!onExpire) return []
  const errors: Violation[] = []
  if (input.expiresInSeconds === undefined) {
    errors.push({ path: 'expiresInSeconds', message: 'onExpire requires a deadline. Send for example 3600.' })
  }
  const action = input.actions.find((candidate) => candidate.id === onExpire.actionId)
  if (!action) {
    errors.push({ path: 'onExpire.actionId', message: actionIdMessage(input.actions, onExpire.actionId) })
    return errors
  }
  const data = onExpire.data ?? {}
  if (bytesOf(JSON.stringify(data)) > limits.answerBytes) {
    errors.push({ path: 'onExpire.data', message: `Must be at most ${limits.answerBytes} bytes as JSON.` })
    return errors
  }
  for (const { path, message } of checkActionAnswer(action, data, { matches }, budget)) {
    errors.push({ path: pathBelow('onExpire.data', path), message })
  }
  return errors
}

function actionIdMessage(actions: CreateTask['actions'], actionId: string): string {
  const ids = actions.map(({ id }) => id)
  const meant = nearest(actionId, ids)
  const listed = ids.slice(0, 5).map(quoted).join(', ')
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : ''
  const hint = meant === undefined ? `They are ${listed}${more}.` : `Did you mean ${quoted(meant)}?`
  return `Must be the id of one of the actions. ${hint}`
}

const encoder = new TextEncoder()

function bytesOf(text: string): number {
  return encoder.encode(text).length
}
