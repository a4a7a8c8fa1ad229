import type { WidgetProps } from '@rjsf/utils'
import { Check } from 'lucide-react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import choiceGroupStyles from '../../ui/choice-group.module.css'
import { Icon } from '../../ui/icon.tsx'
import styles from './checkbox-widget.module.css'
import { ariaProps, labelId } from './control.ts'
import { useFieldLabel } from './field-label.ts'
import { LabelText } from './label-text.tsx'
import { OptionDigit } from './option-digit.tsx'
import { OptionRows } from './option-rows.tsx'

/**
 * A boolean. If it may be null, or is required and has neither a default nor `const`, it is shown as
 * two radio buttons, so that "no" is an explicit answer. If it is required or its options have names,
 * `ui:widget` decides, and the default is two radio buttons. All other booleans are a checkbox, or a
 * switch for `toggle`.
 */
export function CheckboxWidget(props: WidgetProps) {
  const {
    id,
    value,
    label: rawLabel,
    required,
    options,
    schema,
    uiSchema,
    disabled,
    readonly,
    onChange,
  } = props
  const label = useFieldLabel(rawLabel, pathOf(props))
  const widget: unknown = uiSchema?.['ui:widget']
  const choices = options.enumOptions ?? []
  const hasNamedOptions = choices.some((choice) => choice.label !== (choice.value ? 'Yes' : 'No'))
  // With a default, the switch shows what is sent. With `const`, there is nothing to choose
  // between.
  const hasNoValue = required && schema.default === undefined && schema.const === undefined
  const mustChoose = hasNoValue || Array.isArray(schema.type)
  if (mustChoose || ((required || hasNamedOptions) && widget === undefined)) {
    return (
      <>
        <p className="lbl" id={labelId(id)}>
          <LabelText label={label} required={required} />
        </p>
        <OptionRows
          id={id}
          kind="radio"
          inline
          options={choices.map((choice) => ({ label: choice.label, disabled: false }))}
          isChecked={(n) => value === choices[n]?.value}
          onPick={(n) => onChange(choices[n]?.value)}
          disabled={disabled || readonly}
          labelledBy={labelId(id)}
          aria={ariaProps(props)}
        />
      </>
    )
  }
  return (
    <label className={`${choiceGroupStyles.optRow} ${styles.optRow}`} data-option="">
      <input
        type="checkbox"
        role={widget === 'toggle' ? 'switch' : undefined}
        id={id}
        checked={value === true}
        disabled={disabled || readonly}
        {...ariaProps(props)}
        onChange={({ target }) => onChange(target.checked)}
      />
      <OptionDigit />
      <bdi>{bidiSafe(label)}</bdi>
      {widget === 'toggle' ? (
        <span className={styles.switch} aria-hidden="true" />
      ) : (
        <span className={`${choiceGroupStyles.dot} ${choiceGroupStyles.box}`} aria-hidden="true">
          <Icon of={Check} />
        </span>
      )}
    </label>
  )
}

/**
 * The end of the field's path, as far as `useFieldLabel` needs it. The library passes no path to
 * widgets, but the id, name and label of a list item end with its number.
 */
function pathOf({ id, name, label }: WidgetProps): (string | number)[] {
  const isItem = /_\d+$/.test(id) && /-\d+$/.test(label)
  return isItem ? [name.replace(/-\d+$/, ''), Number(id.split('_').at(-1))] : [name]
}
