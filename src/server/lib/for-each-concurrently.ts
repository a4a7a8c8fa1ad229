/** Works on all items in their order, on at most `concurrency` of them at a time. */
export async function forEachConcurrently<Item>(
  items: Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const workOnItems = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, workOnItems))
}
