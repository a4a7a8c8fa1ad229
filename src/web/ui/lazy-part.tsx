import { type ComponentType, lazy, useState } from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'
import { LoadingDialog, notLoaded, ReloadButton } from './loading-dialog.tsx'
import { Strip } from './strip.tsx'

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
 * Differs from React's `lazy` in two ways. If the script is loaded already, the component renders at
 * once, whereas `lazy` first shows the fallback, for up to 300 ms. If the script can't be loaded, a
 * message says so, whereas `lazy` would replace the page with an error.
 */
function createPart<Props extends object>(load: Load<Props>) {
  let Loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    const module = await load()
    Loaded = module.default
    return module
  }
  const Lazy = lazy(() => loadPart().catch(() => ({ default: NotLoaded }))) as unknown as ComponentType<Props>

  function LazyPart(props: Props) {
    // Kept in state, because changing from one component to the other would discard the state of
    // the part.
    const [Part] = useState(() => Loaded ?? Lazy)
    return <Part {...props} />
  }

  return { load: loadPart, LazyPart }
}

/**
 * Only a reload helps: the browser does not request a failed script again, and after an upgrade its
 * name has changed.
 */
export function NotLoaded({ onClose }: { onClose?: () => void }) {
  // A part with `onClose` is a dialog.
  if (onClose) return <LoadingDialog hasFailed onClose={onClose} />
  return (
    <Strip tone="neg" action={<ReloadButton isSmall />}>
      {notLoaded}
    </Strip>
  )
}
