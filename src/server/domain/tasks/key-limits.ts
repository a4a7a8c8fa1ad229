import type { Actor } from '../actor.ts'
import { forbidden, notFound } from '../problems.ts'

type AppAndType = { app: string; type: string }

/** Whether the caller may see and create tasks of this app and type: an API key may be limited to some. */
export function mayAccess(actor: Actor, { app, type }: AppAndType): boolean {
  if (actor.kind !== 'key') return true
  return (actor.apps?.includes(app) ?? true) && (actor.types?.includes(type) ?? true)
}

/**
 * Returns a task that the caller has asked for by id. For an API key, tasks outside its limits do
 * not exist.
 */
export function requireAccess<T extends AppAndType>(actor: Actor, task: T | undefined): T {
  if (!task || !mayAccess(actor, task)) throw notFound('task')
  return task
}

export function requireMaySend(actor: Actor, task: AppAndType): void {
  if (actor.kind !== 'key' || mayAccess(actor, task)) return
  const allowed = [
    ...(actor.apps ? [`the ${noun('app', actor.apps)} ${actor.apps.join(', ')}`] : []),
    ...(actor.types ? [`the ${noun('type', actor.types)} ${actor.types.join(', ')}`] : []),
  ].join(' and ')
  throw forbidden(
    `This API key can create tasks only for ${allowed}. This task has the app ${task.app} and the type ${task.type}.`,
  )
}

/**
 * Narrows the filters of a list to the limits of the caller. Returns undefined if they then match
 * nothing.
 */
export function narrowToLimits<F extends { app?: string | undefined; type?: string | undefined }>(
  actor: Actor,
  { app, type, ...filters }: F,
) {
  const limits = actor.kind === 'key' ? actor : { apps: null, types: null }
  const apps = narrow(app, limits.apps)
  const types = narrow(type, limits.types)
  return apps?.length === 0 || types?.length === 0 ? undefined : { ...filters, apps, types }
}

function narrow(wanted: string | undefined, allowed: string[] | null): string[] | undefined {
  if (wanted === undefined) return allowed ?? undefined
  return (allowed?.includes(wanted) ?? true) ? [wanted] : []
}

function noun(word: string, values: string[]): string {
  return values.length === 1 ? word : `${word}s`
}
