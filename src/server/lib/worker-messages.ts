/**
 * Messages from a worker to the primary process, which starts the workers and serves only metrics
 * itself.
 */
export type FromWorker =
  | { type: 'handrail:starting' }
  | { type: 'handrail:serving'; port: number }
  | { type: 'handrail:metrics-wanted'; id: number }

/** Messages from the primary process to a worker. */
export type ToWorker =
  /**
   * `databaseUrl`: the private PostgreSQL that the primary process runs, if it runs one. `port`:
   * where other workers serve already, undefined for the first worker.
   */
  | { type: 'handrail:start'; databaseUrl: string | undefined; port: number | undefined }
  | { type: 'handrail:stop'; reason: string }
  /** `text` is undefined if the metrics could not be collected. */
  | { type: 'handrail:metrics'; id: number; text: string | undefined }

/** Called in a worker, which has a channel to the primary process. */
export function sendToPrimary(message: FromWorker): void {
  process.send?.(message)
}
