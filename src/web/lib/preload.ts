type Load = () => Promise<unknown>

const waiting: Load[] = []
let isStarted = false
let isLoading = false

/** Loads this once the page is shown and idle, after what was registered before. */
export function preloadWhenIdle(load: Load): void {
  waiting.push(load)
  loadNext()
}

/** To be called when the first page is shown. Until then, nothing competes with it. */
export function startPreloading(): void {
  // The frame in the HTML must not return when a later page renders nothing.
  document.querySelector('.first-page')?.remove()
  // For someone who asked to save data, scripts load when they are needed.
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
