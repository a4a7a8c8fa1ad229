import { type ComponentType, lazy, useState } from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'

/**
 * A component in a separate script that is preloaded when the page is idle. It then renders at once, whereas React's
 * `lazy` first shows the fallback, for up to 300 ms, even if the script is loaded.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    const module = await load()
    Loaded = module.default
    return module
  }
  const createLazy = () =>
    lazy(() =>
      loadPart().catch(() => {
        // The next use tries again.
        Lazy = createLazy()
        return { default: NotLoaded }
      }),
    ) as unknown as ComponentType<Props>
  let Lazy = createLazy()
  preloadWhenIdle(loadPart)

  return function LazyPart(props: Props) {
    // Kept, because another component would start with new state.
    const [Part] = useState(() => Loaded ?? Lazy)
    return <Part {...props} />
  }
}

function NotLoaded() {
  return <p role="alert">Not loaded. Reload the page.</p>
}
