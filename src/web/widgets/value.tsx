import { Suspense } from 'react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { NotLoaded } from '../ui/lazy-part.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DefaultValue } from './default-value.tsx'
import { WidgetNotLoaded, type WidgetProps, widgets } from './registry.ts'

/** Renders any value with its hints. Falls back to the default if the widget is unknown or throws. */
export function Value({ value, hints, field }: WidgetProps) {
  const fallback = <DefaultValue value={value} hints={hints} />
  if (!hints.widget) return fallback
  const Widget = widgets.get(hints.widget)
  if (!Widget) {
    return (
      <>
        <p className="help">
          There is no widget named “<bdi>{bidiSafe(hints.widget)}</bdi>”, so the value is shown without it.
        </p>
        {fallback}
      </>
    )
  }
  return (
    <ErrorBoundary
      resetOn={[value, JSON.stringify(hints)]}
      fallback={(error) => (
        <>
          {error instanceof WidgetNotLoaded ? (
            <NotLoaded />
          ) : (
            <p className="help">
              The widget “{hints.widget}” can't show this value, so it is shown without it.
            </p>
          )}
          {fallback}
        </>
      )}
    >
      <Suspense fallback={<Skeleton className="above-8" height="3rem" />}>
        <Widget value={value} hints={hints} field={field} />
      </Suspense>
    </ErrorBoundary>
  )
}
