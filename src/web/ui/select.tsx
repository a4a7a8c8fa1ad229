import { ChevronDown } from 'lucide-react'
import type { SelectHTMLAttributes } from 'react'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { Icon } from './icon.tsx'

/** A native select with a chevron. */
export function Select(props: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <div className="select">
      <select className="input" {...props} />
      <Icon of={ChevronDown} />
    </div>
  )
}

/** The options of a select. Escapes bidi controls in the labels. */
export function Options({ options }: { options: readonly (readonly [value: string, label: string])[] }) {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {escapeBidi(label)}
    </option>
  ))
}
