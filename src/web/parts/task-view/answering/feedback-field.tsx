import { type RefObject, useId } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { FieldError } from '../../../ui/field-error.tsx'

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  readers: 'the agent' | 'the agents'
  isMissing: boolean
  onChange: (feedback: string) => void
}

/** The reason for a rejection. */
export function FeedbackField({ field, value, readers, isMissing, onChange }: Props) {
  const id = useId()
  const errorId = useId()
  return (
    <>
      <label className="lbl" htmlFor={id}>
        Why?
      </label>
      <textarea
        ref={field}
        className="input"
        id={id}
        rows={4}
        maxLength={limits.feedback}
        value={value}
        placeholder={`What should ${readers} do differently?`}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? errorId : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
      {isMissing && (
        <FieldError id={errorId}>{`Enter a reason, so that ${readers} can learn from it.`}</FieldError>
      )}
    </>
  )
}
