import { useState } from 'react'
import { DefaultValue } from './default-value.tsx'
import type { WidgetProps } from './registry.ts'
import { isScalar } from './scalar.tsx'

const figure = new Intl.NumberFormat()

/** The sender thinks that nobody needs it. It is folded, it says what it holds, and it can be opened. */
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
        {isOpen ? 'Hide it again' : `Hidden by the agent: ${amount(value)}. Show`}
      </button>
      {isOpen && <DefaultValue value={value} hints={others} />}
    </>
  )
}

function amount(value: unknown): string {
  const count = (many: number, one: string) => `${figure.format(many)} ${many === 1 ? one : `${one}s`}`
  if (typeof value === 'string') return count(value.length, 'character')
  if (Array.isArray(value)) return count(value.length, 'element')
  return isScalar(value) ? 'a value' : count(Object.keys(value as object).length, 'field')
}
