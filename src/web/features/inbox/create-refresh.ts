import type { InboxPage } from '../../../contract/inbox.ts'

// In a busy workspace, something happens during every read.
const maxReads = 3

/**
 * Reads the first page again, one read at a time. If another refresh was asked for or something happened meanwhile, the
 * page may be older than that, and is read again.
 */
export function createRefresh(
  load: () => Promise<InboxPage>,
  /** `isOutdated`: something happened during the last read too. */
  onPage: (page: InboxPage, isOutdated: boolean) => void,
) {
  let running: Promise<boolean> | undefined
  let isOutdated = false

  async function read(): Promise<boolean> {
    try {
      let page: InboxPage
      let reads = 0
      do {
        isOutdated = false
        page = await load()
        reads += 1
      } while (isOutdated && reads < maxReads)
      onPage(page, isOutdated)
      return true
    } catch {
      return false
    } finally {
      running = undefined
    }
  }

  return {
    /** Resolves with false if that failed. */
    refresh(): Promise<boolean> {
      isOutdated = true
      running ??= read()
      return running
    },
    /** Something happened that a page being read may not include. */
    outdate(): void {
      isOutdated = true
    },
  }
}
