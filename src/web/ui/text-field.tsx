import { type InputHTMLAttributes, useId } from 'react'
import { FieldError } from './field-error.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
  label: string
  /** Shows the label to screen readers only, because a title beside the field says the same. */
  hidesLabel?: boolean
  help?: string | undefined
  error?: string | undefined
}

export function TextField({ label, hidesLabel = false, help, error, ...input }: Props) {
  const id = useId()
  const describedBy = error ? `${id}-error` : help ? `${id}-help` : undefined
  return (
    <div>
      <label className={hidesLabel ? 'sr-only' : 'lbl'} htmlFor={id}>
        {label}
      </label>
      <input
        className="input"
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy}
        {...input}
      />
      {error ? (
        <FieldError id={`${id}-error`}>{error}</FieldError>
      ) : (
        help && (
          <p className="under" id={`${id}-help`}>
            {help}
          </p>
        )
      )}
    </div>
  )
}
