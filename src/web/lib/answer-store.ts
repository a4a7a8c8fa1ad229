import { basePath } from './base-path.ts'
import type { Answer, Failure } from './send-answer.ts'

/** An answer as this browser keeps it until it has been sent. */
export type KeptAnswer = {
  /** By person, workspace, task and entry: tabs that answer the same task each keep their answer. */
  key: string
  userId: string
  /** The tab that sends it. */
  tabId: string
  /** Answers that were given by one press. */
  entryId: string
  answer: Answer
  stays: boolean
  /** When it was given, and from when on it may be sent. Milliseconds since 1970. */
  givenAt: number
  dueAt: number
  failure?: Failure
}

const storeName = 'answers'
// Where a browser does not say which tabs are open, an answer that is due for so long belongs to none.
const abandonedMilliseconds = 15_000
const openMilliseconds = 3_000

export const tabId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')
const lockOf = (id: string) => `handrail.tab.${id}`
// Held until the tab is closed: whoever finds it free may take over what the tab has left.
void navigator.locks?.request(lockOf(tabId), () => new Promise(() => undefined))

let opening: Promise<IDBDatabase | undefined> | undefined

/** undefined: this browser keeps nothing, as in some private windows. */
function database(): Promise<IDBDatabase | undefined> {
  opening ??= new Promise((resolve) => {
    setTimeout(() => resolve(undefined), openMilliseconds)
    try {
      const request = indexedDB.open(`handrail${basePath}`, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'key' })
      request.onsuccess = () => {
        // A browser may drop the connection, as when site data is cleared: the next access opens another.
        request.result.onclose = () => {
          opening = undefined
        }
        request.result.onversionchange = () => {
          opening = undefined
          request.result.close()
        }
        resolve(request.result)
      }
      request.onerror = () => resolve(undefined)
    } catch {
      resolve(undefined)
    }
  })
  return opening
}

/** Runs in one transaction. undefined: it could not be had, and nothing was changed. */
async function inStore<Result>(
  run: (store: IDBObjectStore, done: (result: Result) => void) => void,
): Promise<Result | undefined> {
  const opened = await database()
  if (!opened) return undefined
  return await new Promise((resolve) => {
    try {
      let result: Result | undefined
      const transaction = opened.transaction(storeName, 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve(result)
      transaction.onabort = () => resolve(undefined)
      run(transaction.objectStore(storeName), (value) => {
        result = value
      })
    } catch {
      opening = undefined
      resolve(undefined)
    }
  })
}

const allOf = (userId: string) => IDBKeyRange.bound(`${userId} `, `${userId} \uffff`)

export function keyOf(userId: string, { workspaceId, taskId }: Answer, entryId: string): string {
  return `${userId} ${workspaceId} ${taskId} ${entryId}`
}

/** Whether this browser can keep answers. */
export async function canKeep(): Promise<boolean> {
  return (await database()) !== undefined
}

/** True once they are on the disk. */
export async function keep(answers: KeptAnswer[]): Promise<boolean> {
  const kept = await inStore<true>((store, done) => {
    for (const answer of answers) store.put(answer)
    done(true)
  })
  return kept === true
}

/** Those that this tab still owns are removed. */
export async function forget(keys: string[]): Promise<void> {
  await inStore<void>((store) => {
    for (const key of keys) {
      withOwn(store, key, () => store.delete(key))
    }
  })
}

/** False: it was removed, or another tab has taken it over. undefined: the store cannot be read any more. */
export async function isOwn(key: string): Promise<boolean | undefined> {
  return await inStore<boolean>((store, done) => {
    done(false)
    withOwn(store, key, () => done(true))
  })
}

function withOwn(store: IDBObjectStore, key: string, run: () => void): void {
  const request = store.get(key)
  request.onsuccess = () => {
    if ((request.result as KeptAnswer | undefined)?.tabId === tabId) run()
  }
}

/** Takes over what this person gave in tabs that are gone. */
export async function adopt(userId: string): Promise<KeptAnswer[]> {
  const openTabs = await heldLocks()
  const isAbandoned = (kept: KeptAnswer) =>
    openTabs ? !openTabs.has(lockOf(kept.tabId)) : Date.now() > kept.dueAt + abandonedMilliseconds
  const adopted = await inStore<KeptAnswer[]>((store, done) => {
    const request = store.getAll(allOf(userId))
    request.onsuccess = () => {
      const ours = (request.result as KeptAnswer[])
        .filter((kept) => kept.tabId !== tabId && isAbandoned(kept))
        .map((kept) => ({ ...kept, tabId }))
      for (const kept of ours) store.put(kept)
      done(ours)
    }
  })
  return adopted ?? []
}

async function heldLocks(): Promise<ReadonlySet<string | undefined> | undefined> {
  const locks = await navigator.locks?.query()
  return locks && new Set(locks.held?.map(({ name }) => name))
}

/** How many were not sent, in all tabs: those that wait, and those that were refused. */
export async function countUnsent(userId: string): Promise<number> {
  const unsent = await inStore<number>((store, done) => {
    const request = store.count(allOf(userId))
    request.onsuccess = () => done(request.result)
  })
  return unsent ?? 0
}

export async function forgetAllOf(userId: string): Promise<void> {
  await inStore<void>((store) => void store.delete(allOf(userId)))
}
