import type { WidgetProps } from '@rjsf/utils'
import { useState } from 'react'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { ariaProps } from './control.ts'

/**
 * A list of short strings, separated by commas, or one per line if one of the initial strings
 * contains a comma.
 */
export function TagsWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange } = props
  const [initial] = useState((): unknown[] => (Array.isArray(value) ? value : []))
  const isPerLine = initial.some((tag) => String(tag).includes(','))
  const [text, setText] = useState(() => initial.join(isPerLine ? '\n' : ', '))
  const control = {
    className: 'input',
    id,
    value: text,
    placeholder: escapeBidi(options.placeholder || (isPerLine ? 'One per line' : 'Separate with commas')),
    disabled,
    readOnly: readonly,
    ...ariaProps(props),
    onChange: ({ target }: { target: { value: string } }) => {
      setText(target.value)
      const tags = target.value.split(isPerLine ? '\n' : ',').map((tag) => tag.trim())
      onChange(tags.filter((tag) => tag !== ''))
    },
  }
  return isPerLine ? <textarea rows={3} {...control} /> : <input {...control} />
}
