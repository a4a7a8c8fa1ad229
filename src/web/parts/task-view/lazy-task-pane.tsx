import { type ComponentProps, Suspense } from 'react'
import { preloadWhenIdle } from '../../lib/preload.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { TaskPane } from './task-pane.tsx'
import { TaskPlaceholder } from './task-placeholder.tsx'

// The font of code and ids, for which the first task would otherwise wait.
preloadWhenIdle(() => document.fonts.load('1em "IBM Plex Mono"'))
const LoadedPane = lazyPart(async () => ({ default: (await import('./task-pane.tsx')).TaskPane }))

/** The task pane as a separate chunk. Nothing can be answered until it is loaded. */
export function LazyTaskPane(props: ComponentProps<typeof TaskPane>) {
  return (
    <Suspense fallback={<TaskPlaceholder {...props} />}>
      <LoadedPane {...props} />
    </Suspense>
  )
}
