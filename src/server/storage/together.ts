type Options<Item, Result> = {
  /** Gives back a result for each item, in their order. */
  send(workspaceId: string, items: Item[]): Promise<Result[]>
  most: number
  mostWeight?: number
  weigh?(item: Item): number
}
type Waiting<Item, Result> = { item: Item; done(result: Result): void; failed(error: unknown): void }

/**
 * What comes while a workspace's last sending is under way waits for it and then goes together. Alone nothing waits; under load
 * journeys and commits are shared. One that the database refuses for its content takes no other with it.
 */
export function together<Item, Result>(options: Options<Item, Result>) {
  const { send, most, mostWeight = Number.POSITIVE_INFINITY, weigh = () => 0 } = options
  const queues = new Map<string, Waiting<Item, Result>[]>()

  async function work(workspaceId: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await sendNext(workspaceId, takeFrom(queue))
    queues.delete(workspaceId)
  }

  function takeFrom(queue: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    let weight = 0
    let count = 0
    for (const { item } of queue.slice(0, most)) {
      weight += weigh(item)
      if (count > 0 && weight > mostWeight) break
      count++
    }
    return queue.splice(0, count)
  }

  async function sendNext(workspaceId: string, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item)
      const results = await send(workspaceId, items)
      for (const [index, { done }] of batch.entries()) done(results[index]!)
    } catch (error) {
      if (batch.length === 1 || !isAboutContent(error)) for (const { failed } of batch) failed(error)
      else for (const one of batch) await sendNext(workspaceId, [one])
    }
  }

  return (workspaceId: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const waiting = { item, done: resolve, failed: reject }
      const queue = queues.get(workspaceId)
      if (queue) queue.push(waiting)
      else {
        const first = [waiting]
        queues.set(workspaceId, first)
        void work(workspaceId, first)
      }
    })
}

// Agents that poll come by the thousand.
const mostReads = 100

/** The same for reading a row by its key: undefined where there is none. */
export function readTogether<Row>(
  keyOf: (row: Row) => string,
  read: (workspaceId: string, keys: string[]) => Promise<Row[]>,
) {
  return together<string, Row | undefined>({
    async send(workspaceId, keys) {
      const rows = new Map((await read(workspaceId, keys)).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    most: mostReads,
  })
}

/** Data exception, broken constraint, limit exceeded: classes 22, 23 and 54 of PostgreSQL. */
function isAboutContent(error: unknown): boolean {
  return /^(22|23|54)/.test(String((error as { code?: unknown }).code))
}
