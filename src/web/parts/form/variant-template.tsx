import type { MultiSchemaFieldTemplateProps } from '@rjsf/utils'

/** oneOf and anyOf: a selector for the variant, then its fields. */
export function VariantTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="variant grid gap-2">
      {selector}
      {optionSchemaField}
    </div>
  )
}
