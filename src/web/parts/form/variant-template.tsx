import type { MultiSchemaFieldTemplateProps } from '@rjsf/utils'

/** oneOf and anyOf: which kind it is, then the fields of that kind. */
export function VariantTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="variant grid gap-2">
      {selector}
      {optionSchemaField}
    </div>
  )
}
