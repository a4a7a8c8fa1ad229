import { type ComponentType, lazy } from 'react'
import { Compare } from './compare.tsx'
import type { Hints } from './hints.ts'

export type WidgetProps = { value: unknown; hints: Hints }

/** The widgets a context field may ask for. One file and one line each; what a widget cannot show, it throws at. */
export const widgets = new Map<string, ComponentType<WidgetProps>>([
  ['markdown', lazy(() => import('./markdown.tsx'))],
  ['compare', Compare],
])
