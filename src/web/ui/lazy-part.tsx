import { type ComponentType, lazy, useState } from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'
import { ErrorBoundary } from './error-boundary.tsx'

class PartNotLoaded extends Error {}

/**
 * A component in a separate script that is preloaded when the page is idle. It then renders at once, whereas React's
 * `lazy` first shows the fallback, for up to 300 ms, even if the script is loaded.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined
  let Lazy = lazyOnce()
  async function loadPart() {
    try {
      const module = await load()
      loaded = module.default
      return module
    } catch (thrown) {
      // React keeps the failure of a lazy component. The next one tries again.
      Lazy = lazyOnce()
      throw new PartNotLoaded('A part of the page was not loaded.', { cause: thrown })
    }
  }
  function lazyOnce() {
    return lazy(loadPart) as unknown as ComponentType<Props>
  }
  preloadWhenIdle(loadPart)

  return function LazyPart(props: Props) {
    // Kept, because another component would start with new state.
    const [Part] = useState(() => loaded ?? Lazy)
    return (
      <ErrorBoundary fallback={describeFailure}>
        <Part {...props} />
      </ErrorBoundary>
    )
  }
}

function describeFailure(error: Error) {
  if (!(error instanceof PartNotLoaded)) throw error
  return (
    <p role="alert">
      This part couldn't be loaded.{' '}
      <button type="button" className="btn" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  )
}
