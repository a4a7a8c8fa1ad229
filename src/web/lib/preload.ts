type Load = () => Promise<unknown>

const waiting: Load[] = []
let isStarted = false
let isLoading = false

/** Calls `load` once the page is shown and idle, after what was registered before it. */
export function preloadWhenIdle(load: Load): void {
  waiting.push(load)
  loadNext()
}

/** Call it when the first page is shown. Until then, preloading would compete with it. */
export function startPreloading(): void {
  // The placeholder in index.html would be visible again whenever a later page renders nothing.
  document.querySelector('.first-page')?.remove()
  // If the browser is set to save data, scripts load when they are needed.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  isStarted = connection?.saveData !== true
  loadNext()
}

/** One at a time, so that a key press in between is handled at once. */
function loadNext(): void {
  if (!isStarted || isLoading) return
  const load = waiting.shift()
  if (!load) return
  isLoading = true
  const finish = () => {
    isLoading = false
    loadNext()
  }
  // If it fails, it is loaded when it is needed.
  whenIdle(() => void load().then(finish, finish))
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 100)
}
