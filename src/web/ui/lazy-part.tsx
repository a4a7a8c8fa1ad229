import { type ComponentType, lazy, useEffect, useState } from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'
import { LoadingDialog } from './loading-dialog.tsx'
import { ProblemStrip } from './strip.tsx'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A component in a separate script that is preloaded when the page is idle. */
export function lazyPart<Props extends object>(load: Load<Props>) {
  const part = createPart(load)
  preloadWhenIdle(part.load)
  return part.LazyPart
}

/** A component in a separate script that is loaded when it is first rendered. */
export function onDemandPart<Props extends object>(load: Load<Props>) {
  return createPart(load).LazyPart
}

/**
 * Once its script is loaded, the component renders at once, whereas React's `lazy` first shows the fallback, for up to
 * 300 ms. If the script can't be loaded, it offers to try again, whereas `lazy` would replace the page with an error.
 */
function createPart<Props extends object>(load: Load<Props>) {
  let Loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    const module = await load()
    Loaded = module.default
    return module
  }
  const createLazy = () =>
    lazy(() => loadPart().catch(() => ({ default: Failed }))) as unknown as ComponentType<Props>
  let Lazy = createLazy()

  function LazyPart(props: Props) {
    // Kept, because another component would start with new state.
    const [Part] = useState(() => Loaded ?? Lazy)
    return <Part {...props} />
  }

  function Failed(props: Props & { onClose?: () => void }) {
    const [isRetried, setRetried] = useState(false)
    // The next use tries again. Only now, because until it is shown, a rerender would try again without end.
    useEffect(() => {
      Lazy = createLazy()
    }, [])
    if (isRetried) return <LazyPart {...props} />
    // A dialog is opened again instead.
    if (props.onClose) return <LoadingDialog hasFailed onClose={props.onClose} />
    return <NotLoaded onRetry={() => setRetried(true)} />
  }

  return { load: loadPart, LazyPart }
}

export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return <ProblemStrip message="This part couldn't be loaded." onRetry={onRetry} />
}
