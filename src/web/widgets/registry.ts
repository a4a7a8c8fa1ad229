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

/** The widgets a context field may request. A widget throws for values it cannot show. */
const byName: Record<ContextWidget, ComponentType<WidgetProps>> = {
  markdown: lazy(() => import('./markdown.tsx')),
  compare: lazy(() => import('./compare.tsx')),
  text: TextWidget,
  code: lazy(() => import('./code.tsx')),
  diff: lazy(() => import('./diff.tsx')),
  json: lazy(() => import('./json.tsx')),
  table: TableWidget,
  keyvalue: KeyValueWidget,
  link: Link,
  url: Link,
  image: lazy(() => import('./image.tsx')),
  email: lazy(() => import('./email.tsx')),
  chat: lazy(() => import('./chat.tsx')),
  badge: Badge,
  number: NumberWidget,
  date: DateWidget,
  progress: Progress,
  hidden: Hidden,
}

export const widgets: ReadonlyMap<string, ComponentType<WidgetProps>> = new Map(Object.entries(byName))
