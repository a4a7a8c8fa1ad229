import { Check } from 'lucide-react'
import { classes } from '../../lib/classes.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import choiceGroupStyles from '../../ui/choice-group.module.css'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import fieldTemplateStyles from './field-template.module.css'

type Props = {
  id: string
  kind: 'radio' | 'checkbox'
  options: { label: string; disabled: boolean }[]
  isChecked: (n: number) => boolean
  onPick: (n: number, checked: boolean) => void
  inline?: boolean
  /** For labels that are numbers themselves. */
  hidesKeyCaps?: boolean
  disabled?: boolean | undefined
  labelledBy: string
  aria: { 'aria-invalid': boolean; 'aria-describedby': string | undefined }
}

/** Options as fully clickable rows. Digit keys select one while no text field has focus. */
export function OptionRows({
  id,
  kind,
  options,
  isChecked,
  onPick,
  inline,
  hidesKeyCaps,
  disabled,
  labelledBy,
  aria,
}: Props) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has one of two roles, and both take a name
    <div
      className={classes(
        choiceGroupStyles.opts,
        fieldTemplateStyles.opts,
        inline && choiceGroupStyles.inRow,
        hidesKeyCaps && choiceGroupStyles.plain,
      )}
      id={id}
      role={kind === 'radio' ? 'radiogroup' : 'group'}
      aria-labelledby={labelledBy}
      aria-describedby={aria['aria-describedby']}
      data-choice={kind === 'radio' ? '' : undefined}
    >
      {options.map((option, n) => (
        <label className={choiceGroupStyles.optRow} key={n}>
          <input
            type={kind}
            name={kind === 'radio' ? id : `${id}-${n}`}
            checked={isChecked(n)}
            disabled={disabled || option.disabled}
            aria-invalid={aria['aria-invalid']}
            onChange={({ target }) => onPick(n, target.checked)}
          />
          {kind === 'radio' && !hidesKeyCaps && n < 9 && <KeyCap>{n + 1}</KeyCap>}
          <bdi>{bidiSafe(option.label)}</bdi>
          <span
            className={
              kind === 'radio' ? choiceGroupStyles.dot : `${choiceGroupStyles.dot} ${choiceGroupStyles.box}`
            }
            aria-hidden="true"
          >
            {kind === 'checkbox' && <Icon of={Check} />}
          </span>
        </label>
      ))}
    </div>
  )
}
