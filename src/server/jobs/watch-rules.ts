import { judgeSamples } from '../domain/rules/judge-samples.ts'
import { pauseOverdueRules } from '../domain/rules/pause-rule.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/**
 * Judges samples of standing rules and pauses rules whose time is over. Each rule is changed in one
 * transaction, under its lock.
 */
export function startWatchingRules(service: Service) {
  return startSweep(service, {
    name: 'watch-rules',
    everyMilliseconds: 1_000,
    async run() {
      const hasMoreSamples = await judgeSamples(service)
      return (await pauseOverdueRules(service)) || hasMoreSamples
    },
  })
}
