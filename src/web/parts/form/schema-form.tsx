import Form from '@rjsf/core'
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { createRenderableForm } from '../../../contract/forms/renderable-form.ts'
import { checkInWorker, type FieldError, startChecker } from './check-in-worker.ts'
import { withClearedDefaults } from './cleared-defaults.ts'
import { dropEmpty } from './drop-empty.ts'
import { errorTree } from './error-paths.ts'
import { ErrorSummary } from './error-summary.tsx'
import { formTemplates, formWidgets } from './form-theme.ts'
import { formValidator } from './form-validator.ts'
import { withPrefill } from './with-prefill.ts'

export type Checked = {
  data: Record<string, unknown>
  errors: FieldError[]
  /** False when it could not be checked here: the server decides. */
  isSure: boolean
}
export type FormHandle = {
  check: () => Promise<Checked>
  show: (errors: FieldError[]) => void
  /** Fills in a property as if the person had. */
  set: (property: string, value: unknown) => void
}

type Props = {
  schema: Record<string, unknown>
  ui: Record<string, unknown> | undefined
  /** What the task shows: fields may begin with its values. */
  context: Record<string, unknown> | undefined
  initial: Record<string, unknown> | undefined
  /** What the service found wrong with it. */
  errors?: FieldError[] | undefined
  isFixed: boolean
  /** Its first field has the focus as soon as it is there. */
  takesFocus: boolean
  onChange: (data: Record<string, unknown>) => void
  /** All that it holds, defaults too; undefined when it is gone. */
  onData?: (data: Record<string, unknown> | undefined) => void
  onSubmit: () => void
  handle: RefObject<FormHandle | null>
}

// Defaults are the sender's and nothing else: a "no" that nobody said must not be sent.
const defaults = {
  arrayMinItems: { populate: 'requiredOnly' },
  emptyObjectFields: 'skipEmptyDefaults',
  requiredBooleanDefault: 'skip',
} as const

// A wrong field is looked at again this long after the last key, so that an error goes as soon as it is mended.
const pauseMilliseconds = 300

export default function SchemaForm(props: Props) {
  const { schema, ui, context, initial, isFixed, takesFocus, onChange, onData, onSubmit, handle } = props
  const filled = useMemo(() => withPrefill(schema, ui, context), [schema, ui, context])
  const copy = useMemo(() => createRenderableForm(filled, ui), [filled, ui])
  const [errors, setErrors] = useState<FieldError[]>([])
  const tree = useMemo(() => errorTree(errors), [errors])
  const [start] = useState(() => (initial ? withClearedDefaults(initial, filled) : {}))
  const data = useRef<unknown>(start)
  const box = useRef<HTMLDivElement>(null)
  const form = useRef<Form>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  useEffect(() => {
    startChecker()
    onData?.(data.current as Record<string, unknown>)
    if (takesFocus) box.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => {
      clearTimeout(timer.current)
      onData?.(undefined)
    }
  }, [])

  async function check(): Promise<Checked> {
    const answer = dropEmpty(data.current, schema)
    const found = await checkInWorker(schema, answer)
    return { data: answer, errors: found ?? [], isSure: found !== null }
  }

  function show(found: FieldError[]) {
    setErrors(found)
    requestAnimationFrame(() => focusFirstError(box.current))
  }

  const { errors: refused } = props
  useEffect(() => {
    if (refused) show(refused)
  }, [refused])

  // A path of one step: a name with a dot in it is still one name.
  const set = (property: string, value: unknown) => form.current?.setFieldValue([property], value)

  useImperativeHandle(handle, () => ({ check, show, set }))

  return (
    <div className="form" ref={box}>
      {(errors.length > 1 || errors[0]?.path === '') && <ErrorSummary errors={errors} />}
      <Form
        ref={form}
        schema={copy.schema}
        uiSchema={copy.ui}
        initialFormData={start}
        validator={formValidator}
        templates={formTemplates}
        widgets={formWidgets}
        extraErrors={tree}
        idPrefix="answer"
        disabled={isFixed}
        noValidate
        noHtml5Validate
        showErrorList={false}
        experimental_defaultFormStateBehavior={defaults}
        onChange={(event, id) => {
          data.current = event.formData
          onData?.(event.formData ?? {})
          // Without an id it was not the person: the library filled in the defaults.
          if (id === undefined) return
          onChange(dropEmpty(event.formData, schema))
          if (errors.length === 0) return
          clearTimeout(timer.current)
          timer.current = setTimeout(
            () => void check().then((again) => setErrors(again.errors)),
            pauseMilliseconds,
          )
        }}
        onSubmit={onSubmit}
      >
        {/* Enter in a one-line field sends the form; the visible button stands in the dock. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </div>
  )
}

function focusFirstError(box: HTMLElement | null) {
  const first =
    box?.querySelector<HTMLElement>('[aria-invalid=true]') ?? box?.querySelector<HTMLElement>('.err')
  // An error of a list or an object as a whole stands below it.
  const whole = first?.closest('.form-field')?.querySelector<HTMLElement>('fieldset')
  ;(first?.matches('input, textarea, select') ? first : whole)?.focus()
  first?.scrollIntoView({ block: 'nearest' })
}
