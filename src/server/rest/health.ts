import type { Health } from '../../contract/health.ts'
import { checkDatabase } from '../domain/check-database.ts'
import type { Service } from '../domain/service.ts'

/** `ok` and `degraded` are 200: the service works. Draining or without a database it must get no new requests. */
export async function health(
  service: Service,
  version: string,
  jobsAreWell: (() => boolean) | undefined,
): Promise<Response> {
  const database = service.draining.aborted ? 'ok' : await checkDatabase(service)
  const jobs = jobsAreWell && (jobsAreWell() ? 'ok' : 'degraded')
  const isWell = database === 'ok' && jobs !== 'degraded'
  const status = service.draining.aborted ? 'draining' : isWell ? 'ok' : 'degraded'
  const body: Health = { status, version, checks: { database, ...(jobs && { jobs }) } }
  return Response.json(body, {
    status: status === 'draining' || database === 'failed' ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}
