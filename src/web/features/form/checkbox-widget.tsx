import type { WidgetProps } from '@rjsf/utils'
import { Check } from 'lucide-react'
import { Icon } from '../../ui/icon.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { aria, labelId } from './control.ts'
import { OptionRows } from './option-rows.tsx'

/** A box to tick; a question that must be answered is asked with yes and no, so that "no" can be said. */
export function CheckboxWidget(props: WidgetProps) {
  const { id, value, label, required, uiSchema, disabled, readonly, onChange } = props
  const widget: unknown = uiSchema?.['ui:widget']
  const isAsked = widget !== undefined
  if (required && !isAsked) {
    return (
      <>
        <p className="lbl" id={labelId(id)}>
          <bdi>{visible(label)}</bdi>
        </p>
        <OptionRows
          id={id}
          kind="radio"
          inline
          options={['Yes', 'No'].map((word) => ({ label: word, disabled: false }))}
          isChecked={(n) => value === (n === 0)}
          onPick={(n) => onChange(n === 0)}
          disabled={disabled || readonly}
          labelledBy={labelId(id)}
          aria={aria(props)}
        />
      </>
    )
  }
  return (
    <label className="opt-row">
      <input
        type="checkbox"
        role={widget === 'toggle' ? 'switch' : undefined}
        id={id}
        checked={value === true}
        disabled={disabled || readonly}
        {...aria(props)}
        onChange={({ target }) => onChange(target.checked)}
      />
      <bdi>{visible(label)}</bdi>
      {widget === 'toggle' ? (
        <span className="switch" aria-hidden="true" />
      ) : (
        <span className="dot box" aria-hidden="true">
          <Icon of={Check} />
        </span>
      )}
    </label>
  )
}
