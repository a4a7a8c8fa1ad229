import { limits } from '../../../../contract/limits.ts'
import { parseText } from '../../../lib/search-params.ts'

/** `run`: the id of the run to show. The default is the newest completed one. */
export type AnalysisSearch = {
  app?: string | undefined
  type?: string | undefined
  run?: string | undefined
}

const maxIdLength = 40

export function parseAnalysisSearch(search: Record<string, unknown>): AnalysisSearch {
  return {
    app: parseText(search.app, limits.app),
    type: parseText(search.type, limits.type),
    run: parseText(search.run, maxIdLength),
  }
}
