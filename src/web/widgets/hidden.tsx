import { useState } from 'react'
import { pluralize } from '../lib/count.ts'
import { DefaultValue } from './default-value.tsx'
import type { WidgetProps } from './registry.ts'
import { isScalar } from './scalar.tsx'

/**
 * A button that shows a value which the sender hid, and hides it again. It states the size of the
 * value.
 */
export function Hidden({ value, hints }: WidgetProps) {
  const [isOpen, setOpen] = useState(false)
  const { widget: _, ...others } = hints
  return (
    <>
      <button
        type="button"
        className="text-button unfold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide' : `Show field hidden by the agent (${describeSize(value)})`}
      </button>
      {isOpen && <DefaultValue value={value} hints={others} />}
    </>
  )
}

function describeSize(value: unknown): string {
  if (typeof value === 'string') return pluralize(value.length, 'character')
  if (Array.isArray(value)) return pluralize(value.length, 'element')
  return isScalar(value) ? '1 value' : pluralize(Object.keys(value as object).length, 'field')
}
