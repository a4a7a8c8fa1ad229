import Form from '@rjsf/core'
import {
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { prefilledFields, valueAt, withPrefill } from '../../../contract/forms/prefill.ts'
import { createRenderableForm } from '../../../contract/forms/renderable-form.ts'
import type { Violation } from '../../../contract/violation.ts'
import type { TextPath } from '../../widgets/inline-editing.tsx'
import { checkInWorker, startChecker } from './check-in-worker.ts'
import { withClearedDefaults } from './cleared-defaults.ts'
import { rootId } from './control.ts'
import { dropEmpty } from './drop-empty.ts'
import { editableTexts, hasEdits, withEditors } from './edited-fields.ts'
import { describeErrors, ErrorLine, type FormErrors, focusFirstError } from './error-line.tsx'
import { errorTree } from './error-paths.ts'
import { leaveNameField } from './field-template.tsx'
import { firstControl } from './first-control.ts'
import { formTemplates, formWidgets } from './form-theme.ts'
import { formValidator } from './form-validator.ts'
import { type PaneDigits, useOptionDigits } from './option-digits.ts'
import styles from './schema-form.module.css'
import { useChangesShortcut } from './use-changes-shortcut.ts'

export type CheckedAnswer = {
  data: Record<string, unknown>
  errors: Violation[]
  /** False if the answer could not be checked in this browser, so that only the service checks it. */
  isVerified: boolean
}
export type FormHandle = {
  check: () => Promise<CheckedAnswer>
  showErrors: (errors: Violation[]) => void
  /** Sets a property as if the person had typed it. */
  setProperty: (property: string, value: unknown) => void
}

type Props = {
  schema: Record<string, unknown>
  ui: Record<string, unknown> | undefined
  /** Context of the task, for prefilled fields. */
  context: Record<string, unknown> | undefined
  /** The data that the form starts with, such as those of a draft. */
  initial?: Record<string, unknown> | undefined
  /**
   * Edited texts, by source. The form starts with them instead of the texts of the context. Undefined,
   * never empty, if there are none.
   */
  edited?: ReadonlyMap<string, string> | undefined
  /** Where the context shows a text that the form starts with. */
  pathOf?: ((source: string) => TextPath | undefined) | undefined
  /** Validation errors from the service. */
  errors?: Violation[] | undefined
  isDisabled?: boolean
  /** Focus the first field on mount. */
  autoFocus?: boolean
  onAutoFocused?: () => void
  onChange?: (data: Record<string, unknown>) => void
  /** Current data including defaults; undefined on unmount. */
  onData?: (data: Record<string, unknown> | undefined) => void
  /** Called when Enter is pressed in a single-line field or on an option. */
  onEnter?: () => void
  /**
   * Receives the errors, to show them next to the button that sends. Without it, the form shows
   * them below its fields.
   */
  onErrors?: (errors: FormErrors | undefined) => void
  /** Whether a prefilled field was changed. */
  onEdited?: (isEdited: boolean) => void
  /** Set if a property of the form chooses between the panes of a comparison, which digits select. */
  panes?: PaneDigits | undefined
  handle?: RefObject<FormHandle | null>
}

/** `focusesFirst`: the first field with an error gets the focus. */
type ShownErrors = { errors: Violation[]; focusesFirst: boolean }

// The library fills in only defaults that the agent has sent, so that no "no" is sent that nobody chose.
const defaultFormState = {
  arrayMinItems: { populate: 'requiredOnly' },
  emptyObjectFields: 'skipEmptyDefaults',
  requiredBooleanDefault: 'skip',
} as const

// After errors were shown, the form is checked again this long after the last change.
const debounceMilliseconds = 300

export default function SchemaForm(props: Props) {
  const { schema, initial, isDisabled = false, autoFocus, panes, handle } = props
  const { onAutoFocused, onChange, onData, onEnter, onEdited } = props
  const { prefilledSchema, renderable, uiSchema, prefilled, edited } = usePrefilledForm(props)
  const [initialFormData] = useState(() => (initial ? withClearedDefaults(initial, prefilledSchema) : {}))
  const data = useRef<unknown>(initialFormData)
  const box = useRef<HTMLDivElement>(null)
  const form = useRef<Form>(null)
  useOptionDigits(box, panes)

  // In a layout effect, because a key press before the focus is set would be a shortcut.
  useLayoutEffect(() => {
    if (!autoFocus) return
    firstControl(box.current)?.focus()
    onAutoFocused?.()
  }, [])

  useEffect(() => {
    startChecker()
    onData?.(data.current as Record<string, unknown>)
    // Without a draft, the library has not filled in the values yet. Then only the texts of `edited`
    // differ from the context.
    onEdited?.(initial ? hasEdits(prefilled, data.current) : edited !== undefined)
    return () => {
      onData?.(undefined)
      onEdited?.(false)
    }
  }, [])

  async function check(): Promise<CheckedAnswer> {
    const answer = dropEmpty(data.current, schema)
    const fieldErrors = await checkInWorker(schema, answer)
    return { data: answer, errors: fieldErrors ?? [], isVerified: fieldErrors !== null }
  }

  const { extraErrors, ownLine, showErrors, recheck } = useShownErrors(props, box, check)

  // A path array, because a name may contain a dot.
  const setProperty = (property: string, value: unknown) => form.current?.setFieldValue([property], value)

  function leaveAndCheck() {
    // The library reads the name of an additional property only when its field loses the focus.
    leaveNameField()
    return check()
  }

  useImperativeHandle(handle, () => ({ check: leaveAndCheck, showErrors, setProperty }))

  return (
    <div className={styles.form} ref={box}>
      <Form
        ref={form}
        schema={renderable.schema}
        uiSchema={uiSchema}
        initialFormData={initialFormData}
        validator={formValidator}
        templates={formTemplates}
        widgets={formWidgets}
        extraErrors={extraErrors}
        idPrefix={rootId}
        disabled={isDisabled}
        noValidate
        noHtml5Validate
        showErrorList={false}
        experimental_defaultFormStateBehavior={defaultFormState}
        onChange={(event, id) => {
          data.current = event.formData
          onData?.(event.formData ?? {})
          onEdited?.(hasEdits(prefilled, event.formData))
          // Without an id, the change is the library filling in defaults.
          if (id === undefined) return
          onChange?.(dropEmpty(event.formData, schema, { isDraft: true }))
          recheck()
        }}
        onSubmit={() => onEnter?.()}
      >
        {/* Without it, browsers submit only forms with a single field. The visible button is outside the form. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
      {ownLine && <ErrorLine errors={ownLine} />}
    </div>
  )
}

/**
 * The form as the library renders it: prefilled from the context, with an editor for each text that
 * comes from the context.
 */
function usePrefilledForm({ schema, ui, context, pathOf, ...props }: Props) {
  // Texts that are edited later do not start the form again.
  const [edited] = useState(props.edited)
  const prefilledSchema = useMemo(
    () => withPrefill(schema, ui, (source) => edited?.get(source) ?? valueAt(context, source)),
    [schema, ui, context, edited],
  )
  const renderable = useMemo(() => createRenderableForm(prefilledSchema, ui), [prefilledSchema, ui])
  const prefilled = useMemo(() => prefilledFields(schema, ui, context), [schema, ui, context])
  const texts = useMemo(() => editableTexts({ schema, ui }, context), [schema, ui, context])
  const uiSchema = useMemo(
    () => withEditors(renderable.ui, texts, (source) => pathOf?.(source)),
    [renderable, texts, pathOf],
  )
  useChangesShortcut(texts.length > 0)
  return { prefilledSchema, renderable, uiSchema, prefilled, edited }
}

/** Shows the errors of a check or of the service, at their fields and summarized in one line. */
function useShownErrors(
  { errors: serviceErrors, onErrors }: Props,
  box: RefObject<HTMLDivElement | null>,
  check: () => Promise<CheckedAnswer>,
) {
  const [{ errors, focusesFirst }, setErrors] = useState<ShownErrors>({ errors: [], focusesFirst: false })
  const [ownLine, setOwnLine] = useState<FormErrors>()
  const extraErrors = useMemo(() => errorTree(errors), [errors])
  const recheckTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  function showErrors(shown: Violation[]) {
    clearTimeout(recheckTimer.current)
    setErrors({ errors: shown, focusesFirst: true })
  }

  // The form library renders new errors in a separate update, which is complete when effects run.
  useEffect(() => {
    if (!box.current) return
    const report = onErrors ?? setOwnLine
    report(describeErrors(box.current, errors, focusesFirst))
    if (focusesFirst) focusFirstError(box.current)
  }, [errors, focusesFirst])

  useEffect(() => {
    if (serviceErrors) showErrors(serviceErrors)
  }, [serviceErrors])

  useEffect(
    () => () => {
      clearTimeout(recheckTimer.current)
      onErrors?.(undefined)
    },
    [],
  )

  /** Errors that were shown disappear while the person corrects them. */
  function recheck() {
    if (errors.length === 0) return
    clearTimeout(recheckTimer.current)
    recheckTimer.current = setTimeout(
      () => void check().then((checked) => setErrors({ errors: checked.errors, focusesFirst: false })),
      debounceMilliseconds,
    )
  }

  return { extraErrors, ownLine, showErrors, recheck }
}
