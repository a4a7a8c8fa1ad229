/** Between the first process, which starts the others, and its workers. */
export type FromWorker =
  | { type: 'handrail:starting' }
  | { type: 'handrail:serving'; port: number }
  | { type: 'handrail:metrics-wanted'; id: number }

export type ToWorker =
  /**
   * `databaseUrl`: of the private PostgreSQL, which the first process runs. `port`: at which other workers are serving already.
   * Left out: it is the first worker.
   */
  | { type: 'handrail:start'; databaseUrl: string | undefined; port: number | undefined }
  | { type: 'handrail:stop'; reason: string }
  | { type: 'handrail:metrics'; id: number; text: string }

/** In a worker. */
export function sendToFirst(message: FromWorker): void {
  process.send?.(message)
}
