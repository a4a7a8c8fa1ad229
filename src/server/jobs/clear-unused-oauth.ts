import { clearUnusedOAuth } from '../domain/oauth/clear-unused-oauth.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

export function startClearingOAuth(service: Service) {
  return startSweep(service, {
    name: 'clear-unused-oauth',
    everyMilliseconds: 10 * 60_000,
    run: (signal) => clearUnusedOAuth(service, signal),
  })
}
