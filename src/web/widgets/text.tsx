import { FoldedText } from './folded-text.tsx'
import type { WidgetProps } from './registry.ts'

/** Plain text: URLs are not linked and dates are not formatted. */
export function TextWidget({ value }: WidgetProps) {
  if (typeof value !== 'string') throw new TypeError('text needs text.')
  return <FoldedText text={value} />
}
