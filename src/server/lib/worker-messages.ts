/** Between the primary process, which serves no requests, and the workers that it starts. */
export type FromWorker =
  | { type: 'handrail:starting' }
  | { type: 'handrail:serving'; port: number }
  | { type: 'handrail:metrics-wanted'; id: number }

export type ToWorker =
  /**
   * `databaseUrl`: of the private PostgreSQL, which the primary process runs. `port`: at which other workers are serving already.
   * Left out: it is the first worker.
   */
  | { type: 'handrail:start'; databaseUrl: string | undefined; port: number | undefined }
  | { type: 'handrail:stop'; reason: string }
  /** Left out: they could not be collected. */
  | { type: 'handrail:metrics'; id: number; text: string | undefined }

/** In a worker. */
export function sendToPrimary(message: FromWorker): void {
  process.send?.(message)
}
