import { limits } from '../../../contract/limits.ts'
import type { RuleCondition } from '../../../contract/rules/rule.ts'
import { truncate } from '../../../contract/truncate.ts'

const maxListedValues = 3

/** A name for a suggested rule, such as "Approve refund-approval when amount is at most 40". */
export function describeRule(actionTitle: string, type: string, when: RuleCondition[]): string {
  const conditions = when.map(describeCondition).join(' and ')
  return truncate(`${actionTitle} ${type}${conditions === '' ? '' : ` when ${conditions}`}`, limits.ruleName)
}

function describeCondition(condition: RuleCondition): string {
  const { field } = condition
  switch (condition.is) {
    case 'equals':
      return `${field} is ${condition.value}`
    case 'oneOf':
      return condition.value.length > maxListedValues
        ? `${field} is one of ${condition.value.length} values`
        : `${field} is ${condition.value.join(' or ')}`
    case 'atMost':
      return `${field} is at most ${condition.value}`
    case 'atLeast':
      return `${field} is at least ${condition.value}`
    case 'present':
      return `${field} is present`
    case 'absent':
      return `${field} is absent`
  }
}
