import { type ComponentType, lazy, useState } from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'

/**
 * A component in a separate script that is preloaded when the page is idle. It then renders at once, whereas React's
 * `lazy` first shows the fallback, for up to 300 ms, even if the script is loaded.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined
  async function loadPart() {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(loadPart) as unknown as ComponentType<Props>
  preloadWhenIdle(loadPart)

  return function LazyPart(props: Props) {
    // Kept, because another component would start with new state.
    const [Part] = useState(() => loaded ?? Lazy)
    return <Part {...props} />
  }
}
