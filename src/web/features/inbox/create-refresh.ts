import type { InboxPage } from '../../../contract/inbox.ts'

// In a busy workspace, something happens during every read.
const maxReads = 3
const nextRefreshMilliseconds = 1_000

/**
 * Reads the first page again, one read at a time. If another refresh was asked for or something happened meanwhile, the
 * page may be older than that, and is read again. Who asked for a refresh during the last read gets another one soon.
 */
export function createRefresh(
  load: () => Promise<InboxPage>,
  /** `isOutdated`: something happened during the last read too. */
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

  /** Resolves with false if that failed. */
  function refresh(): Promise<boolean> {
    isOutdated = true
    isRequested = true
    running ??= read()
    return running
  }

  return {
    refresh,
    /** Something happened that a page being read may not include. */
    outdate(): void {
      isOutdated = true
    },
  }
}
