import type { InboxPage } from '../../../contract/inbox.ts'

// Limits the reads in a busy workspace, where events arrive during every read.
const maxReads = 3
const nextRefreshMilliseconds = 1_000

/**
 * Creates a function that reads the first page again, one read at a time. If a refresh is requested or
 * an event arrives during a read, the page that is being read may be outdated, so it is read again, up
 * to `maxReads` times. If a refresh is requested during the last read, another refresh starts later.
 */
export function createRefresh(
  load: () => Promise<InboxPage>,
  /** `isOutdated`: even the page of the last read may be outdated. */
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
    /** Call when an event arrives, which a page that is being read may not include. */
    outdate(): void {
      isOutdated = true
    },
  }
}
