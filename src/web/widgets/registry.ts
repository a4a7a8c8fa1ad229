import { type ComponentType, lazy } from 'react'
import type { ContextWidget } from '../../contract/widget-values.ts'
import { Badge } from './badge.tsx'
import { DateWidget } from './date.tsx'
import { Hidden } from './hidden.tsx'
import type { Hints } from './hints.ts'
import { KeyValueWidget } from './key-values.tsx'
import { Link } from './link.tsx'
import { NumberWidget } from './number.tsx'
import { Progress } from './progress.tsx'
import { TableWidget } from './table.tsx'
import { TextWidget } from './text.tsx'

export type WidgetProps = {
  value: unknown
  hints: Hints
  /** Name of the context field, if the value is a whole field. */
  field?: string | undefined
}

/** Thrown if the script of a widget can't be loaded. The widget may be able to show the value. */
export class WidgetNotLoaded extends Error {}

function onDemand(load: () => Promise<{ default: ComponentType<WidgetProps> }>) {
  return lazy(() =>
    load().catch(() => {
      throw new WidgetNotLoaded()
    }),
  )
}

/** The widgets that a context field may request. A widget throws for a value that it cannot show. */
const byName: Record<ContextWidget, ComponentType<WidgetProps>> = {
  markdown: onDemand(() => import('./markdown.tsx')),
  compare: onDemand(() => import('./compare.tsx')),
  text: TextWidget,
  code: onDemand(() => import('./code.tsx')),
  diff: onDemand(() => import('./diff.tsx')),
  json: onDemand(() => import('./json.tsx')),
  table: TableWidget,
  keyvalue: KeyValueWidget,
  link: Link,
  url: Link,
  image: onDemand(() => import('./image.tsx')),
  email: onDemand(() => import('./email.tsx')),
  chat: onDemand(() => import('./chat.tsx')),
  badge: Badge,
  number: NumberWidget,
  date: DateWidget,
  progress: Progress,
  hidden: Hidden,
}

export const widgets: ReadonlyMap<string, ComponentType<WidgetProps>> = new Map(Object.entries(byName))
