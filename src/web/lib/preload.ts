type Load = () => Promise<unknown>

const queued: Load[] = []
let isStarted = false
let isLoading = false

/** Queues a script or a font to be loaded once the first page is shown and the browser is idle. */
export function preloadWhenIdle(load: Load): void {
  queued.push(load)
  loadNext()
}

/**
 * Call when the first page is shown. Removes its placeholder and starts preloading, which would have
 * competed with the first page.
 */
export function onFirstPageShown(): void {
  // The placeholder in index.html would be visible again whenever a later page renders nothing.
  document.querySelector('.first-page')?.remove()
  // If the browser is set to save data, scripts and fonts load when they are needed.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  isStarted = connection?.saveData !== true
  loadNext()
}

/** Loads one at a time, so that a key press between two of them is handled immediately. */
function loadNext(): void {
  if (!isStarted || isLoading) return
  const load = queued.shift()
  if (!load) return
  isLoading = true
  const finish = () => {
    isLoading = false
    loadNext()
  }
  // What fails to load is loaded when it is needed.
  whenIdle(() => void load().then(finish, finish))
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 100)
}
