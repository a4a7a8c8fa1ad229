import { createRandom } from '../../src/server/domain/demo/random.ts'
import { judgeCurrentVersion } from '../../src/server/domain/feedback/current-version.ts'
import { tabulate } from '../../src/server/domain/feedback/factor-tests.ts'
import { healthOf } from '../../src/server/domain/feedback/health.ts'
import { factorFields, type Observation } from '../../src/server/domain/feedback/observation.ts'
import { complete } from '../../src/server/lib/event-loop.ts'
import { reviewers } from './scenarios.ts'

const looks = 30
const windowDays = 30
const answersPerDay = 13
const dayMilliseconds = 86_400_000
// A Monday.
const firstDay = Date.parse('2026-10-05T00:00:00.000Z') / dayMilliseconds

/**
 * Analyzes an app and type on 30 days in a row, each time over the last 30 days, and returns
 * whether any of these analyses called it not healthy. The negative share never changes. A new
 * version, which is no different from the others, begins every `releaseDays` days.
 */
export function isEverUnhealthy(seed: number, negativeShare: number, releaseDays: number): boolean {
  const random = createRandom(seed)
  const history = Array.from({ length: (windowDays + looks) * answersPerDay }, (_, i): Observation => {
    const at = firstDay + i / answersPerDay
    const isNegative = random.chance(negativeShare)
    return {
      taskId: `tsk_${i}`,
      name: '',
      actionId: 'x',
      version: `1.${Math.floor((at - firstDay) / releaseDays)}`,
      createdAt: at * dayMilliseconds,
      day: Math.floor(at),
      isNegative,
      isPositive: !isNegative,
      reviewer: random.pick(reviewers),
      fields: {},
      choices: [],
      hasContent: true,
    }
  })
  return Array.from({ length: looks }, (_, look) => (windowDays + look + 1) * answersPerDay).some((end) => {
    const window = history.slice(end - windowDays * answersPerDay, end).reverse()
    const table = complete(tabulate(window, ['version', 'reviewer', 'weekend', ...factorFields(window)]))
    return !healthOf({ current: judgeCurrentVersion(window, table), comparisons: [] }).isHealthy
  })
}
