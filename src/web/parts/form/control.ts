import type { WidgetProps } from '@rjsf/utils'

/** The id of the form as a whole. */
export const rootId = 'answer'

/** Ids that connect a control with its label, help and error. */
export const labelId = (id: string) => `${id}__title`
export const descriptionId = (id: string) => `${id}__description`
export const helpId = (id: string) => `${id}__help`
export const errorId = (id: string) => `${id}__error`

type Described = Pick<WidgetProps, 'id' | 'rawErrors' | 'schema' | 'options'>

/** ARIA attributes that reference only existing elements. */
export function ariaProps({ id, rawErrors, schema, options }: Described) {
  const isInvalid = (rawErrors?.length ?? 0) > 0
  const describedBy = [
    isInvalid && errorId(id),
    (options.description ?? schema.description) && descriptionId(id),
    options.help && helpId(id),
  ].filter((part) => typeof part === 'string')
  return {
    'aria-invalid': isInvalid,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
  }
}
