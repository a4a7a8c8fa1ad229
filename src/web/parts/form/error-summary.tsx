import { countInvalid } from '../../../contract/violation.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import type { FieldError } from './check-in-worker.ts'
import { stepsOf } from './error-paths.ts'
import styles from './error-summary.module.css'

/** All errors above the form, each linked to its field. */
export function ErrorSummary({ errors }: { errors: FieldError[] }) {
  return (
    <div className={`below-12 ${styles.formErrors}`} role="alert">
      <p className="weight-medium">
        {errors.length === 1 ? 'This answer is invalid.' : `${countInvalid(errors)}.`}
      </p>
      <ul>
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && (
              <>
                <button type="button" onClick={() => focusField(path)}>
                  {labelOf(path)}
                </button>
                {': '}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

const elementId = (path: string) => ['answer', ...stepsOf(path)].join('_')

function labelOf(path: string): string {
  return (
    document.getElementById(`${elementId(path)}__title`)?.querySelector('bdi')?.textContent ??
    escapeBidi(path)
  )
}

function focusField(path: string) {
  const field = document.getElementById(elementId(path))
  const control = field?.matches('input, textarea, select')
    ? field
    : field?.querySelector<HTMLElement>('input')
  ;(control ?? field)?.focus()
  field?.scrollIntoView({ block: 'nearest' })
}
