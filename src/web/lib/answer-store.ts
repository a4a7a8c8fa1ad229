import { basePath } from './base-path.ts'
import { randomId } from './random-id.ts'
import type { Answer, Failure } from './send-answer.ts'

/**
 * An answer as stored in this browser until the service has accepted it. Stored records have these
 * field names.
 */
export type StoredAnswer = {
  /** From `keyOf`. It contains the entry, so that two tabs can each store an answer to the same task. */
  key: string
  userId: string
  /** The id of the tab that sends the answer. */
  tabId: string
  /** Shared by all answers of one bulk action. */
  entryId: string
  answer: Answer
  /** The page keeps showing the task, so lists do not hide it. */
  stays: boolean
  /** When the person answered, and when the time to undo ends. Unix time in milliseconds. */
  givenAt: number
  dueAt: number
  failure?: Failure
}

const storeName = 'answers'
// Without the Web Locks API, an answer overdue by this long counts as abandoned by its tab.
const abandonedMilliseconds = 15_000
const openTimeoutMilliseconds = 3_000

export const tabId = randomId()
const lockOf = (id: string) => `handrail.tab.${id}`
// Held until the tab closes. If the lock is free, another tab may adopt the answers.
void navigator.locks?.request(lockOf(tabId), () => new Promise(() => undefined))

let connection: Promise<IDBDatabase | undefined> | undefined

/**
 * Resolves with undefined if IndexedDB is unavailable, as in some private windows. The next call
 * tries again.
 */
function openDatabase(): Promise<IDBDatabase | undefined> {
  connection ??= connect().then((db) => {
    if (!db) connection = undefined
    return db
  })
  return connection
}

function connect(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), openTimeoutMilliseconds)
    try {
      const request = indexedDB.open(`handrail${basePath}`, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'key' })
      request.onsuccess = () => {
        // If the database opened only after the timeout, the next access uses it.
        connection = Promise.resolve(request.result)
        // The browser closes the connection when site data is cleared; the next access reopens it.
        request.result.onclose = () => {
          connection = undefined
        }
        request.result.onversionchange = () => {
          connection = undefined
          request.result.close()
        }
        resolve(request.result)
      }
      request.onerror = () => resolve(undefined)
    } catch {
      resolve(undefined)
    }
  })
}

/**
 * Calls `run` in one transaction and resolves with the value passed to `done`, or with undefined if
 * the transaction failed and nothing was changed.
 */
async function inTransaction<Result>(
  run: (store: IDBObjectStore, done: (result: Result) => void) => void,
): Promise<Result | undefined> {
  const db = await openDatabase()
  if (!db) return undefined
  return await new Promise((resolve) => {
    try {
      let result: Result | undefined
      const transaction = db.transaction(storeName, 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve(result)
      transaction.onabort = () => resolve(undefined)
      run(transaction.objectStore(storeName), (value) => {
        result = value
      })
    } catch {
      connection = undefined
      resolve(undefined)
    }
  })
}

const keysOf = (userId: string) => IDBKeyRange.bound(`${userId} `, `${userId} \uffff`)

export function keyOf(userId: string, { workspaceId, taskId }: Answer, entryId: string): string {
  return `${userId} ${workspaceId} ${taskId} ${entryId}`
}

/** False in browsers without IndexedDB, as in some private windows. */
export async function canStore(): Promise<boolean> {
  return (await openDatabase()) !== undefined
}

/** Resolves with true once the answers are on disk, with false if they could not be stored. */
export async function save(answers: StoredAnswer[]): Promise<boolean> {
  const isSaved = await inTransaction<true>((store, done) => {
    for (const answer of answers) store.put(answer)
    done(true)
  })
  return isSaved === true
}

/** Removes the answers that this tab still owns. */
export async function remove(keys: string[]): Promise<void> {
  await inTransaction<void>((store) => {
    for (const key of keys) {
      ifOwned(store, key, () => store.delete(key))
    }
  })
}

/** False: removed, or adopted by another tab. undefined: the store is unreadable. */
export async function isOwn(key: string): Promise<boolean | undefined> {
  return await inTransaction<boolean>((store, done) => {
    done(false)
    ifOwned(store, key, () => done(true))
  })
}

function ifOwned(store: IDBObjectStore, key: string, run: () => void): void {
  const request = store.get(key)
  request.onsuccess = () => {
    if ((request.result as StoredAnswer | undefined)?.tabId === tabId) run()
  }
}

/** Takes over this person's answers from tabs that were closed. */
export async function adopt(userId: string): Promise<StoredAnswer[]> {
  const openTabs = await heldLocks()
  const isAbandoned = (stored: StoredAnswer) =>
    openTabs ? !openTabs.has(lockOf(stored.tabId)) : Date.now() > stored.dueAt + abandonedMilliseconds
  const result = await inTransaction<StoredAnswer[]>((store, done) => {
    const request = store.getAll(keysOf(userId))
    request.onsuccess = () => {
      const adopted = (request.result as StoredAnswer[])
        .filter((stored) => stored.tabId !== tabId && isAbandoned(stored))
        .map((stored) => ({ ...stored, tabId }))
      for (const stored of adopted) store.put(stored)
      done(adopted)
    }
  })
  return result ?? []
}

async function heldLocks(): Promise<ReadonlySet<string | undefined> | undefined> {
  const locks = await navigator.locks?.query()
  return locks && new Set(locks.held?.map(({ name }) => name))
}

/**
 * The number of the person's answers in the store, from all tabs: not sent yet, or failed. 0 if the
 * store is unreadable.
 */
export async function countUnsent(userId: string): Promise<number> {
  const unsent = await inTransaction<number>((store, done) => {
    const request = store.count(keysOf(userId))
    request.onsuccess = () => done(request.result)
  })
  return unsent ?? 0
}

export async function removeAllOf(userId: string): Promise<void> {
  await inTransaction<void>((store) => void store.delete(keysOf(userId)))
}
