import type { InboxPage } from '../../../contract/inbox.ts'

// In a busy workspace, events arrive during every read.
const maxReads = 3
const nextRefreshMilliseconds = 1_000

/**
 * Reads the first page again, one read at a time. If a refresh is requested or an event arrives
 * during a read, its page may be outdated, and is read again, up to `maxReads` times in all. A
 * refresh requested during the last of these reads starts another one later.
 */
export function createRefresh(
  load: () => Promise<InboxPage>,
  /** `isOutdated`: the page may be outdated too, because the reads were used up. */
  onPage: (page: InboxPage, isOutdated: boolean) => void,
) {
  let running: Promise<boolean> | undefined
  let isOutdated = false
  let isRequested = false

  async function read(): Promise<boolean> {
    try {
      let page: InboxPage
      let reads = 0
      do {
        isOutdated = false
        isRequested = false
        page = await load()
        reads += 1
      } while (isOutdated && reads < maxReads)
      onPage(page, isOutdated)
      if (isRequested) setTimeout(() => void refresh(), nextRefreshMilliseconds)
      return true
    } catch {
      return false
    } finally {
      running = undefined
    }
  }

  /** Resolves with false if a read failed. */
  function refresh(): Promise<boolean> {
    isOutdated = true
    isRequested = true
    running ??= read()
    return running
  }

  return {
    refresh,
    /** An event arrived that a page being read may not include. */
    outdate(): void {
      isOutdated = true
    },
  }
}
