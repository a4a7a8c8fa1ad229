import type { ServiceHealth } from '../../contract/health.ts'
import { checkDatabase } from '../domain/check-database.ts'
import type { Service } from '../domain/service.ts'

/**
 * Responds with 503 while draining or without a database, so that no new requests are routed here.
 * Otherwise with 200, also if the service is degraded.
 */
export async function health(
  service: Service,
  version: string,
  jobsAreHealthy: (() => boolean) | undefined,
): Promise<Response> {
  const isDraining = service.draining.aborted
  const database = isDraining ? undefined : await checkDatabase(service)
  const jobs = jobsAreHealthy && (jobsAreHealthy() ? 'ok' : 'degraded')
  const isHealthy = database === 'ok' && jobs !== 'degraded'
  const status = isDraining ? 'draining' : isHealthy ? 'ok' : 'degraded'
  const body: ServiceHealth = {
    status,
    version,
    checks: { ...(database && { database }), ...(jobs && { jobs }) },
  }
  return Response.json(body, {
    status: isDraining || database === 'failed' ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}
