import { useContext } from 'react'
import { CodeBlock } from './code-block.tsx'
import { textOption } from './hints.ts'
import { MarksContext } from './marks.tsx'
import type { WidgetProps } from './registry.ts'

export default function Code({ value, hints }: WidgetProps) {
  if (typeof value !== 'string') throw new TypeError('code needs text.')
  const marks = useContext(MarksContext)
  return <CodeBlock code={value} language={textOption(hints, 'language') ?? ''} marked={marks?.lines[0]} />
}
