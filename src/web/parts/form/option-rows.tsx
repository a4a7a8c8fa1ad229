import { Check } from 'lucide-react'
import { classes } from '../../lib/classes.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import choiceGroupStyles from '../../ui/choice-group.module.css'
import { Icon } from '../../ui/icon.tsx'
import { OptionDigit } from './option-digit.tsx'

type Props = {
  id: string
  kind: 'radio' | 'checkbox'
  options: { label: string; disabled: boolean }[]
  isChecked: (n: number) => boolean
  onPick: (n: number, checked: boolean) => void
  inline?: boolean
  /** The labels are numbers: an option is selected only by the digit that equals its label. */
  isRating?: boolean
  disabled?: boolean | undefined
  labelledBy: string
  aria: { 'aria-invalid': boolean; 'aria-describedby': string | undefined }
}

/** Options as fully clickable rows. */
export function OptionRows({
  id,
  kind,
  options,
  isChecked,
  onPick,
  inline,
  isRating,
  disabled,
  labelledBy,
  aria,
}: Props) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has one of two roles, and both take a name
    <div
      className={classes(
        choiceGroupStyles.opts,
        inline && choiceGroupStyles.inRow,
        isRating && choiceGroupStyles.plain,
      )}
      id={id}
      role={kind === 'radio' ? 'radiogroup' : 'group'}
      aria-labelledby={labelledBy}
      aria-describedby={aria['aria-describedby']}
      data-options
    >
      {options.map((option, n) => (
        <label className={choiceGroupStyles.optRow} key={n} data-option={isRating ? option.label : ''}>
          <input
            type={kind}
            name={kind === 'radio' ? id : `${id}-${n}`}
            checked={isChecked(n)}
            disabled={disabled || option.disabled}
            aria-invalid={aria['aria-invalid']}
            onChange={({ target }) => onPick(n, target.checked)}
          />
          {!isRating && <OptionDigit />}
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
