const firstDelayMilliseconds = 5_000
const longestDelayMilliseconds = 300_000
const growth = 1.5
/**
 * If the card is visible all the time, these calls take almost two hours. After that, people press
 * Refresh.
 */
const maxCalls = 30
const maxFailures = 3

/**
 * Calls `refresh` repeatedly while the card is visible: first after 5 seconds, then at growing
 * intervals of up to 5 minutes. Stops when `refresh` returns `ended`, after three failures in a
 * row, or after 30 calls. Returns a function that stops it earlier.
 */
export function refreshRepeatedly(refresh: () => Promise<'open' | 'ended' | 'failed'>): () => void {
  let calls = 0
  let failures = 0
  let delay = firstDelayMilliseconds
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  let isInView = true
  let isStopped = false

  const observer = new IntersectionObserver((entries) => {
    // Only the latest entry counts: a card that moves fast can enter and leave the view in one
    // batch.
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
    delay = Math.min(delay * growth, longestDelayMilliseconds)
  }

  function callIfVisible(): void {
    if (!isDue || !isInView || document.visibilityState !== 'visible') return
    isDue = false
    void call()
  }

  async function call(): Promise<void> {
    calls += 1
    const result = await refresh()
    failures = result === 'failed' ? failures + 1 : 0
    if (isStopped || result === 'ended' || failures === maxFailures || calls === maxCalls) stop()
    else schedule()
  }

  function stop(): void {
    isStopped = true
    isDue = false
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('visibilitychange', callIfVisible)
  }
  return stop
}
