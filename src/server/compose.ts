import { type OpenOptions, openService } from './open-service.ts'

export type App = Awaited<ReturnType<typeof composeService>>

/** The whole house, opened from the database up to the doors. `close` takes it all down again. */
export async function composeService(options: OpenOptions) {
  // Doors and accounts are most of what a service loads; PostgreSQL starts meanwhile.
  const loading = Promise.all([import('./entry-points.ts'), import('./domain/workspaces/better-auth.ts')])
  const opened = await openService(options)
  try {
    const [{ openEntryPoints }] = await loading
    await opened.service.people.load()
    const doors = await openEntryPoints(options, opened)
    return {
      service: opened.service,
      app: doors.app,
      fetch: doors.fetch,
      postgresLost: opened.postgresLost,
      drain: opened.drain,
      async close() {
        await doors.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
