import { combinationChecks } from './combination-checks.ts'
import { listChecks } from './list-checks.ts'
import { objectChecks } from './object-checks.ts'
import type { KeywordCheck } from './result.ts'
import { valueChecks } from './value-checks.ts'

export const keywordChecks: ReadonlyMap<string, KeywordCheck> = new Map([
  ...valueChecks,
  ...listChecks,
  ...objectChecks,
  ...combinationChecks,
])
