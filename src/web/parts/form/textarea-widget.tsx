import type { WidgetProps } from '@rjsf/utils'
import { formatCount } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { ariaProps } from './control.ts'

export function TextareaWidget(props: WidgetProps) {
  const { id, value, schema, options, readonly, disabled, placeholder, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const maxLength = schema.maxLength
  return (
    <>
      <textarea
        className="input"
        id={id}
        rows={options.rows ?? 3}
        value={text}
        readOnly={readonly}
        disabled={disabled}
        placeholder={escapeBidi(placeholder ?? '')}
        {...ariaProps(props)}
        onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
      />
      {maxLength !== undefined && (
        <p className="under">
          {/* Keeps the count on the right. */}
          <span />
          <span className="num">
            {formatCount([...text].length)} / {formatCount(maxLength)}
          </span>
        </p>
      )}
    </>
  )
}
