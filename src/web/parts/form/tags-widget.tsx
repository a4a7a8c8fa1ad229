import type { WidgetProps } from '@rjsf/utils'
import { useState } from 'react'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { ariaProps } from './control.ts'

/** A list of short strings in one input, separated by commas. */
export function TagsWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange } = props
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join(', ') : ''))
  return (
    <input
      className="input"
      id={id}
      value={text}
      placeholder={escapeBidi(options.placeholder || 'Separate with commas')}
      disabled={disabled}
      readOnly={readonly}
      {...ariaProps(props)}
      onChange={({ target }) => {
        setText(target.value)
        const tags = target.value.split(',').map((tag) => tag.trim())
        onChange(tags.filter((tag) => tag !== ''))
      }}
    />
  )
}
