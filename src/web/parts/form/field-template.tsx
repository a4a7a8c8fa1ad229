import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps, getSchemaType } from '@rjsf/utils'
import { X } from 'lucide-react'
import { useContext } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { classes } from '../../lib/classes.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { isComposing } from '../../lib/is-composing.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { descriptionId, errorId, helpId, labelId } from './control.ts'
import { editOptions } from './edited-fields.ts'
import { useFieldLabel } from './field-label.ts'
import styles from './field-template.module.css'
import { useInlineSlot } from './inline-fields.ts'
import { LabelText } from './label-text.tsx'
import objectTemplateStyles from './object-template.module.css'
import schemaFormStyles from './schema-form.module.css'
import { Snippets, SnippetsContext, withSnippet } from './snippets.tsx'
import variantTemplateStyles from './variant-template.module.css'

/**
 * A field of the form. If the context shows the text that the field starts with, the field is
 * rendered there, instead of the text, once the person edits it.
 */
export function FieldTemplate(props: FieldTemplateProps) {
  const edit = editOptions(props.uiSchema)
  const hasErrors = props.rawErrors !== undefined && props.rawErrors.length > 0
  const slot = useInlineSlot(edit?.path, hasErrors || props.formData !== edit?.before)
  if (!slot) return <Field {...props} labelClass="lbl" />
  return slot.element ? createPortal(<Field {...props} labelClass="sr-only" />, slot.element) : null
}

/** A field with its label and description above, its snippets, error and help below. */
function Field(props: FieldTemplateProps & { labelClass: string }) {
  const { id, required, displayLabel, rawDescription, rawHelp, rawErrors, hidden, schema, children } = props
  const label = useFieldLabel(props.label, props.fieldPathId.path)
  if (hidden) return <div hidden>{children}</div>
  const isContainer = schema.type === 'object'
  const isAdditional = ADDITIONAL_PROPERTY_FLAG in schema
  // `CheckboxWidget` renders its label itself.
  const hasOwnLabel =
    getSchemaType(schema) === 'boolean' &&
    (!displayLabel || ['checkbox', 'toggle'].includes(String(props.uiSchema?.['ui:widget'])))
  return (
    <div
      className={classes(
        'form-field',
        styles.formField,
        variantTemplateStyles.formField,
        (isContainer || schema.type === 'array') && objectTemplateStyles.whole,
      )}
    >
      {isAdditional ? (
        <AdditionalPropertyName {...props} />
      ) : (
        displayLabel &&
        !hasOwnLabel && (
          <label className={props.labelClass} id={labelId(id)} htmlFor={id}>
            <LabelText label={label} required={required} />
          </label>
        )
      )}
      {rawDescription && (displayLabel || hasOwnLabel) && (
        <p className={schemaFormStyles.aboutField} id={descriptionId(id)}>
          {bidiSafe(rawDescription)}
        </p>
      )}
      {children}
      {isFreeText(schema) && <FieldSnippets {...props} />}
      {rawErrors && rawErrors.length > 0 && (
        <FieldError id={errorId(id)}>{[...new Set(rawErrors)].join(' ')}</FieldError>
      )}
      {rawHelp && (
        <p className="under" id={helpId(id)}>
          {bidiSafe(rawHelp)}
        </p>
      )}
    </div>
  )
}

/**
 * Text that a person writes freely: not one of several values, not of a fixed format, and not
 * prefilled.
 */
function isFreeText(schema: FieldTemplateProps['schema']): boolean {
  const isLimited = schema.enum || schema.format || schema.oneOf || schema.anyOf
  return getSchemaType(schema) === 'string' && schema.default == null && !isLimited
}

/** Only for top-level fields: earlier texts are found by the name of the property. */
function FieldSnippets({ id, fieldPathId, formData, disabled, readonly, onChange }: FieldTemplateProps) {
  const snippetsOf = useContext(SnippetsContext)
  const [property, inner] = fieldPathId.path
  if (typeof property !== 'string' || inner !== undefined || disabled || readonly) return null
  const current = typeof formData === 'string' ? formData : ''
  return (
    <Snippets
      texts={snippetsOf(property).filter((text) => !current.includes(text))}
      onPick={(text) => {
        onChange(withSnippet(current, text), fieldPathId.path, undefined, id)
        document.getElementById(id)?.focus()
      }}
    />
  )
}

/** The name of an additional property, which the person chooses. */
function AdditionalPropertyName({
  id,
  label,
  disabled,
  readonly,
  onKeyRenameBlur,
  onRemoveProperty,
}: FieldTemplateProps) {
  return (
    <div className={styles.nameRow}>
      <input
        className="input"
        id={labelId(id)}
        key={label}
        defaultValue={label}
        aria-label={`Field name: ${escapeBidi(label)}`}
        disabled={disabled || readonly}
        data-value-id={id}
        onBlur={onKeyRenameBlur}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || isComposing(event)) return
          // Enter only confirms the name. By default it would send the form.
          event.preventDefault()
          leaveNameField()
        }}
      />
      <button
        type="button"
        className="btn square"
        aria-label={`Remove ${escapeBidi(label)}`}
        disabled={disabled || readonly}
        onClick={onRemoveProperty}
      >
        <Icon of={X} />
      </button>
    </div>
  )
}

/**
 * Moves the focus from the name of an additional property to its value, because the form library
 * reads the name when its field loses the focus. Without a focused field, the next key press would be
 * a shortcut.
 */
export function leaveNameField(): void {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement) || field.dataset.valueId === undefined) return
  const value = document.getElementById(field.dataset.valueId)
  flushSync(() => {
    field.blur()
    value?.focus()
  })
}
