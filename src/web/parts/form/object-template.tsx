import { canExpand, type ObjectFieldTemplateProps } from '@rjsf/utils'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { AddButton } from './add-button.tsx'
import { labelId } from './control.ts'
import { useFieldLabel } from './field-label.ts'
import { LabelText } from './label-text.tsx'
import styles from './object-template.module.css'
import schemaFormStyles from './schema-form.module.css'

export function ObjectTemplate(props: ObjectFieldTemplateProps) {
  const { title, description, properties, schema, uiSchema, formData, fieldPathId, required, onAddProperty } =
    props
  const label = useFieldLabel(title, fieldPathId.path)
  const isRoot = fieldPathId.path.length === 0
  const fields = properties.map((property) => property.content)
  const add = canExpand(schema, uiSchema, formData) && (
    <AddButton onClick={onAddProperty} disabled={props.disabled || props.readonly}>
      Add field
    </AddButton>
  )
  // The page shows title and description of the action instead of those of the root.
  if (isRoot) {
    return (
      <>
        <div className={`${styles.fields} ${styles.root}`}>{fields}</div>
        {add}
      </>
    )
  }
  if (fields.length === 0 && !add) return null
  return (
    <fieldset id={fieldPathId.$id} tabIndex={-1} className="no-outline">
      {title && (
        <legend className="lbl" id={labelId(fieldPathId.$id)}>
          <LabelText label={label} required={required} />
        </legend>
      )}
      {typeof description === 'string' && description !== '' && (
        <p className={schemaFormStyles.aboutField}>{bidiSafe(description)}</p>
      )}
      <div className={`${styles.fields} ${schemaFormStyles.nested}`}>
        {fields}
        {add}
      </div>
    </fieldset>
  )
}
