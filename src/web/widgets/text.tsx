import { FoldedText } from './folded-text.tsx'
import type { WidgetProps } from './registry.ts'

/** Text as it is: no address becomes a link, no date is read. */
export function TextWidget({ value }: WidgetProps) {
  if (typeof value !== 'string') throw new TypeError('text needs text.')
  return <FoldedText text={value} />
}
