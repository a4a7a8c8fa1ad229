import { useId } from 'react'
import styles from './choice-group.module.css'

type Props = {
  label: string
  help?: string | undefined
  value: string
  options: readonly (readonly [value: string, label: string, help?: string])[]
  onChoose: (value: string) => void
}

/** Radio buttons under a heading. */
export function ChoiceGroup({ label, help, value, options, onChoose }: Props) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className="lbl">{label}</legend>
      {help && <p className="under">{help}</p>}
      <div className={styles.opts}>
        {options.map(([option, title, optionHelp]) => (
          <label className={styles.optRow} key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <bdi>
              {title}
              {optionHelp && <small>{optionHelp}</small>}
            </bdi>
            <span className={styles.dot} aria-hidden="true" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
