import { limits } from '../../../contract/limits.ts'
import { parseText } from '../../lib/search-params.ts'
import { suggestionKeyLength } from './dismissed-suggestions.ts'

/** What a new rule starts with. */
export type RuleSearch = {
  app?: string | undefined
  type?: string | undefined
  /** Key of a suggestion of the app and type. */
  suggestion?: string | undefined
}

export function parseRuleSearch(search: Record<string, unknown>): RuleSearch {
  return {
    app: parseText(search.app, limits.app),
    type: parseText(search.type, limits.type),
    suggestion: parseText(search.suggestion, suggestionKeyLength),
  }
}
