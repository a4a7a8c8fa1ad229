import type { MultiSchemaFieldTemplateProps } from '@rjsf/utils'
import styles from './variant-template.module.css'

/** oneOf and anyOf: a selector for the variant, then its fields. */
export function VariantTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className={`stack ${styles.variant}`}>
      {selector}
      {optionSchemaField}
    </div>
  )
}
