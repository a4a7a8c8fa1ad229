import { TriangleAlert } from 'lucide-react'
import { saysThereAreMore, type Violation } from '../../../contract/violation.ts'
import { pluralize } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { Icon } from '../../ui/icon.tsx'
import { errorId, rootId } from './control.ts'
import styles from './error-line.module.css'

export type FormErrors = {
  text: string
  /** Whether the person has just tried to send the form. False: the errors remain while they correct it. */
  isNew: boolean
  /** Absent if no field on screen shows the error. */
  focusFirst?: () => void
}

/**
 * Summarizes the errors of a form in one line, which leads to the first field with an error. Each field
 * also shows its own errors.
 */
export function ErrorLine({ errors: { text, focusFirst } }: { errors: FormErrors }) {
  return (
    <span className={styles.errors} role="alert">
      <Icon of={TriangleAlert} />
      {focusFirst ? (
        <button type="button" onClick={focusFirst}>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  )
}

/** Call after the form has rendered the errors, because it looks for the first one in the page. */
export function describeErrors(
  form: HTMLElement,
  errors: Violation[],
  isNew: boolean,
): FormErrors | undefined {
  const [first] = errors
  if (!first) return undefined
  const field = firstInvalidField(form)
  // The whole answer, or a hidden field, is invalid.
  if (!field) return { text: escapeBidi([first.path, first.message].filter(Boolean).join(': ')), isNew }
  const count = new Set(errors.map(({ path }) => path).filter(Boolean)).size
  const need = errors.some(saysThereAreMore)
    ? `${count} or more fields need your attention`
    : `${pluralize(count, 'field')} ${count === 1 ? 'needs' : 'need'} your attention`
  const label = field.querySelector('.lbl bdi, label bdi')?.textContent
  return { text: label ? `${need}: ${label}` : need, isNew, focusFirst: () => focusFirstError(form) }
}

export function focusFirstError(form: HTMLElement): void {
  const field = firstInvalidField(form)
  const control = field?.querySelector<HTMLElement>(':is(input, textarea, select)[aria-invalid=true]')
  // Errors of a list or object as a whole are shown below it.
  ;(control ?? field?.querySelector('fieldset'))?.focus()
  field?.querySelector('[id$=__error]')?.scrollIntoView({ block: 'nearest' })
  control?.scrollIntoView({ block: 'nearest' })
}

// The error of the whole answer belongs to no field.
const errorMarks = `[aria-invalid=true], [id$=__error]:not(#${errorId(rootId)})`

/** The innermost field around the first mark of an error. Texts that are edited in place come first. */
function firstInvalidField(form: HTMLElement): HTMLElement | null {
  const forms = [...document.querySelectorAll('[data-edited-in-place]'), form]
  const marks = forms.map((part) => part.querySelector(errorMarks))
  return marks.find((mark) => mark !== null)?.closest<HTMLElement>('.form-field') ?? null
}
