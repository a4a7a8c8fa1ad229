import { type OpenOptions, openService } from './open-service.ts'

export type App = Awaited<ReturnType<typeof composeService>>

/** The whole service, from the database up to the entry points. */
export async function composeService(options: OpenOptions) {
  // Most of the code, which is loaded while PostgreSQL starts.
  const loading = Promise.all([import('./entry-points.ts'), import('./domain/workspaces/better-auth.ts')])
  const opened = await openService(options)
  try {
    const [{ openEntryPoints }] = await loading
    await opened.service.people.load()
    const entryPoints = await openEntryPoints(options, opened)
    return {
      service: opened.service,
      app: entryPoints.app,
      fetch: entryPoints.fetch,
      postgresLost: opened.postgresLost,
      drain: opened.drain,
      async close() {
        await entryPoints.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
