import type { WidgetProps } from '@rjsf/utils'
import { aria } from './control.ts'

const figure = new Intl.NumberFormat()

export function TextareaWidget(props: WidgetProps) {
  const { id, value, schema, options, readonly, disabled, placeholder, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const longest = schema.maxLength
  return (
    <>
      <textarea
        className="input"
        id={id}
        rows={options.rows ?? 3}
        value={text}
        readOnly={readonly}
        disabled={disabled}
        placeholder={placeholder}
        {...aria(props)}
        onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
      />
      {longest !== undefined && (
        <p className="under">
          <span />
          <span className="num">
            {figure.format([...text].length)} / {figure.format(longest)}
          </span>
        </p>
      )}
    </>
  )
}
