import { COMBINATION_CHECKS } from './checks-of-combinations.ts'
import { LIST_CHECKS } from './checks-of-lists.ts'
import { OBJECT_CHECKS } from './checks-of-objects.ts'
import { VALUE_CHECKS } from './checks-of-values.ts'
import type { KeywordCheck } from './result.ts'

export const CHECKS: ReadonlyMap<string, KeywordCheck> = new Map([
  ...VALUE_CHECKS,
  ...LIST_CHECKS,
  ...OBJECT_CHECKS,
  ...COMBINATION_CHECKS,
])
