const firstDelay = 5_000
const longestDelay = 300_000
const growth = 1.5
/** Almost two hours. Then people press Refresh. */
const maxCalls = 30
const maxFailures = 3

/**
 * Calls `refresh` again and again: after 5 seconds at first, later every 5 minutes, only while the card is visible. It ends when
 * `refresh` returns `ended`, after three failures in a row, or after 30 calls. Returns a function that ends it, too.
 */
export function refreshRepeatedly(refresh: () => Promise<'open' | 'ended' | 'failed'>): () => void {
  let calls = 0
  let failures = 0
  let delay = firstDelay
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  let isInView = true
  let hasEnded = false

  const observer = new IntersectionObserver((entries) => {
    // The latest entry: a card that moves fast can leave the view again in the same batch.
    isInView = entries.at(-1)?.isIntersecting ?? isInView
    callIfVisible()
  })
  observer.observe(document.body)
  document.addEventListener('visibilitychange', callIfVisible)
  schedule()

  function schedule(): void {
    timer = setTimeout(() => {
      isDue = true
      callIfVisible()
    }, delay)
    delay = Math.min(delay * growth, longestDelay)
  }

  function callIfVisible(): void {
    if (!isDue || !isInView || document.visibilityState !== 'visible') return
    isDue = false
    void call()
  }

  async function call(): Promise<void> {
    calls += 1
    const outcome = await refresh()
    failures = outcome === 'failed' ? failures + 1 : 0
    if (hasEnded || outcome === 'ended' || failures === maxFailures || calls === maxCalls) end()
    else schedule()
  }

  function end(): void {
    hasEnded = true
    isDue = false
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('visibilitychange', callIfVisible)
  }
  return end
}
