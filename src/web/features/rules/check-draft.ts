import { limits } from '../../../contract/limits.ts'
import { toPercent } from '../../lib/numbers.ts'
import type { ConditionDraft, RuleDraft } from './rule-draft.ts'

/** What is missing or wrong, by the path that the service uses for the field. */
export type DraftErrors = Record<string, string>

export function checkDraft(draft: RuleDraft): DraftErrors {
  const percent = Number(draft.allowed)
  const [min, max] = [toPercent(limits.allowedDisagreementMin), toPercent(limits.allowedDisagreementMax)]
  return {
    ...(draft.name.trim() === '' && { name: 'Enter a name.' }),
    ...(draft.type === '' && { type: 'Choose an app and type.' }),
    ...Object.assign({}, ...draft.when.map(checkCondition)),
    ...(draft.type !== '' && draft.actionId === '' && { 'answer.actionId': 'Choose an answer.' }),
    // Negated, so that it also refuses NaN.
    ...(!(percent >= min && percent <= max) && {
      allowedDisagreement: `Enter a number from ${min} to ${max}.`,
    }),
    ...(draft.until === '' && { until: 'Choose a day.' }),
  }
}

function checkCondition({ field, is, value }: ConditionDraft, n: number): DraftErrors {
  const errors: DraftErrors = {}
  if (field.trim() === '') errors[`when[${n}].field`] = 'Enter a field of the context.'
  if (is === 'atMost' || is === 'atLeast') {
    if (value.trim() === '' || !Number.isFinite(Number(value))) errors[`when[${n}].value`] = 'Enter a number.'
  } else if ((is === 'equals' || is === 'oneOf') && value.trim() === '') {
    errors[`when[${n}].value`] = 'Enter a value.'
  }
  return errors
}
